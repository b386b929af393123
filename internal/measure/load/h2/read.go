package h2

import "golang.org/x/net/http2"

// Feed takes what the server sent, and reports whether the answer in hand is whole.
// An error lasts until Open: the connection is of no more use.
func (c *Conn) Feed(b []byte) (done bool, err error) {
	if c.broken != nil {
		return false, c.broken
	}
	before := c.stream.asked
	for len(b) > 0 {
		n, err := c.next(b)
		if err != nil {
			c.broken = err
			return false, err
		}
		b = b[n:]
	}
	if n := c.out.waiting(); n > floodBytes+aheadBytes {
		c.broken = malformed("the server asks for %d bytes of acknowledgements and does not take them", n)
		return false, c.broken
	}
	return before && !c.stream.asked, nil
}

// next takes the next part of b.
func (c *Conn) next(b []byte) (n int, err error) {
	in := &c.in
	if in.inside {
		if in.frame.kind == http2.FrameData {
			return c.data(b)
		}
		n, payload, whole := in.payload(b)
		if !whole {
			return n, nil
		}
		return n, c.accept(payload)
	}
	n, whole, err := in.head(b)
	switch {
	case err != nil || !whole:
		return n, err
	case in.frame.kind == http2.FrameData:
		return n, c.beginData()
	case !in.inside:
		return n, c.accept(nil)
	}
	return n, nil
}

// accept reads a frame that is whole.
func (c *Conn) accept(payload []byte) error {
	switch c.in.frame.kind {
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

func (c *Conn) beginData() error {
	f, s := &c.in.frame, &c.stream
	switch {
	case s.idle(f.stream):
		return malformed("DATA on stream %d, where nothing was asked", f.stream)
	case f.length == 0 && f.flags.Has(http2.FlagDataPadded):
		return malformed("padded DATA without a length of its padding")
	}
	if more := c.credit.take(int64(f.length), connWindow); more > 0 {
		c.out.update(0, more)
	}
	if s.current(f.stream) {
		if more := s.credit.take(int64(f.length), streamWindow); more > 0 {
			c.out.update(s.number, more)
		}
		s.answer.Started = true
		if !s.final {
			return malformed("DATA before a header")
		}
	}
	if c.in.inside {
		return nil
	}
	return c.endData()
}

// data takes a part of the payload of DATA.
func (c *Conn) data(b []byte) (n int, err error) {
	n, part, err := c.in.data(b)
	if err == nil && len(part) > 0 && c.stream.current(c.in.frame.stream) {
		if err = c.stream.take(len(part)); err == nil && c.sink != nil {
			c.sink(part)
		}
	}
	if err == nil && !c.in.inside {
		err = c.endData()
	}
	return n, err
}

// endData goes on after a frame of DATA, which may be the last of the answer.
func (c *Conn) endData() error {
	if f := &c.in.frame; f.flags.Has(http2.FlagDataEndStream) && c.stream.current(f.stream) {
		return c.end()
	}
	return nil
}

// end follows the last byte of an answer.
func (c *Conn) end() error {
	if err := c.stream.end(); err != nil {
		return err
	}
	if !c.out.closed { // the server wants no more of the request
		c.out.abandon()
	}
	return nil
}
