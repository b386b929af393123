package h2

import (
	"encoding/binary"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// reader is where the next byte of the server belongs to.
type reader struct {
	prefix [frameHead]byte // of the frame in hand
	have   int             // bytes of it
	frame  frame
	inside bool   // the prefix is complete, the payload is not
	held   []byte // of the payload of any frame but DATA
	left   int    // bytes of the payload of DATA that are to come
	pad    int    // of these, at the end, that are padding; −1: the length is to come

	decoder *hpack.Decoder
	fields  fields
	header  uint32 // stream of the header block that CONTINUATION goes on with; 0: none
	ends    bool   // it ends its stream
}

type frame struct {
	length int
	kind   http2.FrameType
	flags  http2.Flags
	stream uint32
}

// Feed takes what the server sent, and reports whether the answer in hand is whole.
// An error lasts until Open: the connection is of no more use.
func (c *Conn) Feed(b []byte) (done bool, err error) {
	if c.broken != nil {
		return false, c.broken
	}
	before := c.asked
	for len(b) > 0 {
		n, err := c.next(b)
		if err != nil {
			c.broken = err
			return false, err
		}
		b = b[n:]
	}
	if len(c.out)-c.written > floodBytes+aheadBytes {
		c.broken = malformed("the server asks for %d bytes of acknowledgements and does not take them", len(c.out)-c.written)
		return false, c.broken
	}
	return before && !c.asked, nil
}

// next takes the next part of b.
func (c *Conn) next(b []byte) (n int, err error) {
	if !c.inside {
		n = copy(c.prefix[c.have:], b)
		if c.have += n; c.have < frameHead {
			return n, c.hopeless(b)
		}
		return n, c.begin(b[n:])
	}
	if c.frame.kind == http2.FrameData {
		n, err = c.data(b)
		if err == nil && c.left == 0 && c.pad >= 0 {
			c.inside = false
			err = c.endData()
		}
		return n, err
	}
	missing := c.frame.length - len(c.held)
	if len(c.held) == 0 && len(b) >= missing { // all of it, in place
		c.inside = false
		return missing, c.accept(b[:missing])
	}
	n = min(missing, len(b))
	c.held = append(c.held, b[:n]...)
	if len(c.held) < c.frame.length {
		return n, nil
	}
	payload := c.held
	c.inside, c.held = false, c.held[:0]
	return n, c.accept(payload)
}

// hopeless says so when a server does not speak HTTP/2: it may never send the rest
// of what would be a frame.
func (c *Conn) hopeless(b []byte) error {
	if !c.greeted && c.have > 3 && http2.FrameType(c.prefix[3]) != http2.FrameSettings {
		return malformed("malformed: the server begins with %s, which is no HTTP/2", excerpt(b))
	}
	return nil
}

// begin goes on after the head of a frame; rest is what follows it.
func (c *Conn) begin(rest []byte) error {
	h := &c.prefix
	c.have = 0
	c.frame = frame{
		length: int(h[0])<<16 | int(h[1])<<8 | int(h[2]), kind: http2.FrameType(h[3]), flags: http2.Flags(h[4]),
		stream: binary.BigEndian.Uint32(h[5:]) & maxWindow,
	}
	f := &c.frame
	switch {
	case !c.greeted && (f.kind != http2.FrameSettings || f.length > maxFrame):
		return malformed("malformed: the server begins with %s, which is no HTTP/2", excerpt(append(h[:], rest...)))
	case f.length > maxFrame:
		return malformed("a frame (%v) of %d bytes, more than the %d that were agreed on", f.kind, f.length, maxFrame)
	case c.header != 0 && (f.kind != http2.FrameContinuation || f.stream != c.header):
		return malformed("a frame (%v) in the middle of a header", f.kind)
	case c.header == 0 && f.kind == http2.FrameContinuation:
		return malformed("a frame (%v) without a header", f.kind)
	}
	if f.kind == http2.FrameData {
		return c.beginData()
	}
	if c.inside = f.length > 0; !c.inside {
		return c.accept(nil)
	}
	return nil
}

// accept reads a frame that is whole.
func (c *Conn) accept(payload []byte) error {
	f := &c.frame
	switch f.kind {
	case http2.FrameHeaders:
		return c.headers(payload)
	case http2.FrameContinuation:
		return c.fragment(payload)
	case http2.FrameSettings:
		return c.settings(payload)
	case http2.FramePing:
		return c.ping(payload)
	case http2.FrameWindowUpdate:
		return c.update(payload)
	case http2.FrameRSTStream:
		return c.reset(payload)
	case http2.FrameGoAway:
		return c.goAway(payload)
	case http2.FramePushPromise:
		return malformed("a push, which was declined")
	}
	return nil // PRIORITY says nothing to a client; unknown types are ignored (§5.5)
}

// current reports whether the frame in hand is of the answer in hand.
func (c *Conn) current() bool { return c.asked && c.frame.stream == c.number }

// idle reports whether no request was ever sent on the frame's stream.
func (c *Conn) idle() bool {
	s := c.frame.stream
	return s == 0 || s%2 == 0 || s > c.number
}

func (c *Conn) beginData() error {
	f := &c.frame
	if c.idle() {
		return malformed("DATA on stream %d, where nothing was asked", f.stream)
	}
	c.left, c.pad = f.length, 0
	if f.flags.Has(http2.FlagDataPadded) {
		if c.pad = -1; f.length == 0 {
			return malformed("padded DATA without a length of its padding")
		}
	}
	c.claim(int64(f.length))
	if c.current() {
		c.started = true
		if !c.final {
			return malformed("DATA before a header")
		}
	}
	if c.inside = f.length > 0; !c.inside {
		return c.endData()
	}
	return nil
}

// data takes a part of the payload of DATA.
func (c *Conn) data(b []byte) (n int, err error) {
	if c.pad < 0 {
		c.left--
		if c.pad = int(b[0]); c.pad > c.left {
			return 1, malformed("DATA with more padding than payload")
		}
		return 1, nil
	}
	n = min(len(b), c.left)
	if part := min(n, c.left-c.pad); part > 0 && c.current() {
		if c.headOf {
			return n, malformed("a body in the answer to HEAD")
		}
		c.answer.Body += int64(part)
		if c.expected >= 0 && c.answer.Body > c.expected {
			return n, malformed("bad Content-Length: a body of more than the %d bytes that were declared", c.expected)
		}
		if c.sink != nil {
			c.sink(b[:part])
		}
	}
	c.left -= n
	return n, nil
}

func (c *Conn) endData() error {
	if c.current() && c.frame.flags.Has(http2.FlagDataEndStream) {
		return c.end()
	}
	return nil
}

// end follows the last byte of an answer.
func (c *Conn) end() error {
	if c.expected >= 0 && c.answer.Body != c.expected && !c.headOf && c.answer.Status != 304 {
		return malformed("bad Content-Length: a body of %d bytes, %d were declared", c.answer.Body, c.expected)
	}
	c.asked = false
	if !c.closed { // it wants no more of the request
		c.body = nil
		c.appendReset(http2.ErrCodeCancel)
	}
	return nil
}
