package selfcheck

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	mostStreams   = 250       // at a time; net/http has as many
	defaultWindow = 1<<16 - 1 // RFC 9113 §6.9.2
	returnWindow  = 1 << 14   // bytes of requests that are acknowledged together
	mostHeader    = 1 << 16   // bytes of a request's fields
	mostFrame     = 1 << 14   // as nothing else was agreed on
	h2Buffer      = 8 << 10
)

// h2Conn is one connection of a server for HTTP/2 and gRPC (RFC 9113), which
// answers every request alike. The checks need it to be cheap: what a server of
// net/http or gRPC needs for the requests of a freeze, 44 µs for each, was most of
// what the response times were over the truth. It writes the answers to all
// frames that came together at once, from bytes that were encoded before.
type h2Conn struct {
	raw     net.Conn
	in      *bufio.Reader
	framer  *http2.Framer // writes to out
	book    *book
	answers *h2Answers

	mu      sync.Mutex // of all below, and of writing
	out     bytes.Buffer
	streams map[uint32]*h2Stream // that have no answer
	blocked []*h2Stream          // whose answers wait for the client's window, in order
	last    uint32               // the client's highest stream
	window  int64                // what may be sent on the connection
	initial int64                // and on a stream, before updates of its own
	unsaid  int64                // bytes received and not acknowledged
	begun   bool                 // a header block was sent
	gone    bool
}

// h2Stream is a request.
type h2Stream struct {
	id     uint32
	answer *h2Answer
	whole  bool  // the request was read to its end
	extra  int64 // window updates of its own
}

// newH2Conn returns a connection whose preface was read.
func newH2Conn(raw net.Conn, b *book, answers *h2Answers) *h2Conn {
	c := &h2Conn{
		raw: raw, in: bufio.NewReaderSize(raw, h2Buffer), book: b, answers: answers,
		streams: map[uint32]*h2Stream{}, window: defaultWindow, initial: defaultWindow,
	}
	c.framer = http2.NewFramer(&c.out, c.in)
	c.framer.SetReuseFrames()
	c.framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	c.framer.MaxHeaderListSize = mostHeader
	c.framer.SetMaxReadFrameSize(mostFrame)
	return c
}

// serve answers until the client goes, or breaks the protocol.
func (c *h2Conn) serve() {
	err := c.run()
	c.mu.Lock()
	defer c.mu.Unlock()
	var code http2.ConnectionError
	if errors.Is(err, http2.ErrFrameTooLarge) {
		err = http2.ConnectionError(http2.ErrCodeFrameSize)
	}
	if errors.As(err, &code) {
		_ = c.framer.WriteGoAway(c.last, http2.ErrCode(code), nil)
		_ = c.flush()
	}
	c.gone = true
	_ = c.raw.Close()
}

func (c *h2Conn) run() error {
	_ = c.framer.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: mostStreams}) // into memory
	for first := true; ; first = false {
		if err := c.pause(); err != nil {
			return err
		}
		f, err := c.framer.ReadFrame()
		if err == nil && first {
			if s, ok := f.(*http2.SettingsFrame); !ok || s.IsAck() {
				return http2.ConnectionError(http2.ErrCodeProtocol)
			}
		}
		if err == nil {
			err = c.handle(f)
		}
		var stream http2.StreamError
		if errors.As(err, &stream) {
			c.reset(stream)
		} else if err != nil {
			return err
		}
	}
}

// pause sends what there is to say unless there is more to read.
func (c *h2Conn) pause() error {
	if n := c.in.Buffered(); n >= frameHeader {
		h, err := c.in.Peek(3)
		if err == nil && n >= frameHeader+(int(h[0])<<16|int(h[1])<<8|int(h[2])) {
			return nil
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flush()
}

// flush writes with the lock held: a client that does not read is read from no
// more.
func (c *h2Conn) flush() error {
	if c.out.Len() == 0 || c.gone {
		return nil
	}
	_, err := c.raw.Write(c.out.Bytes())
	c.out.Reset()
	return err
}

func (c *h2Conn) handle(f http2.Frame) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch f := f.(type) {
	case *http2.MetaHeadersFrame:
		return c.fields(f)
	case *http2.DataFrame:
		return c.data(f)
	case *http2.SettingsFrame:
		return c.settings(f)
	case *http2.WindowUpdateFrame:
		return c.update(f)
	case *http2.PingFrame:
		if !f.IsAck() {
			return c.framer.WritePing(true, f.Data)
		}
	case *http2.RSTStreamFrame:
		if f.StreamID > c.last {
			return http2.ConnectionError(http2.ErrCodeProtocol)
		}
		c.forget(f.StreamID)
	case *http2.PushPromiseFrame:
		return http2.ConnectionError(http2.ErrCodeProtocol)
	}
	return nil // priorities, a farewell, and what is unknown
}

// fields begins a request, or ends one by trailers.
func (c *h2Conn) fields(f *http2.MetaHeadersFrame) error {
	id := f.StreamID
	if s := c.streams[id]; s != nil && !s.whole {
		if !f.StreamEnded() {
			return http2.StreamError{StreamID: id, Code: http2.ErrCodeProtocol}
		}
		return c.asked(s)
	}
	switch {
	case id%2 == 0:
		return http2.ConnectionError(http2.ErrCodeProtocol)
	case id <= c.last:
		return http2.ConnectionError(http2.ErrCodeStreamClosed)
	}
	c.last = id
	switch {
	case len(c.streams) >= mostStreams:
		return http2.StreamError{StreamID: id, Code: http2.ErrCodeRefusedStream}
	case f.Truncated:
		return http2.StreamError{StreamID: id, Code: http2.ErrCodeEnhanceYourCalm}
	case f.PseudoValue("method") == "" || f.PseudoValue("path") == "" || f.PseudoValue("scheme") == "":
		return http2.StreamError{StreamID: id, Code: http2.ErrCodeProtocol}
	}
	s := &h2Stream{id: id, answer: c.answerTo(f)}
	c.streams[id] = s
	if f.StreamEnded() {
		return c.asked(s)
	}
	return nil
}

func (c *h2Conn) answerTo(f *http2.MetaHeadersFrame) *h2Answer {
	if f.PseudoValue("method") == "HEAD" {
		return &c.answers.head
	}
	for _, field := range f.RegularFields() {
		if field.Name == "content-type" && strings.HasPrefix(field.Value, "application/grpc") {
			return &c.answers.call
		}
	}
	return &c.answers.page
}

// data reads over the body of a request.
func (c *h2Conn) data(f *http2.DataFrame) error {
	if c.unsaid += int64(f.Length); c.unsaid >= returnWindow {
		if err := c.framer.WriteWindowUpdate(0, uint32(c.unsaid)); err != nil {
			return err
		}
		c.unsaid = 0
	}
	s := c.streams[f.StreamID]
	switch {
	case f.StreamID > c.last:
		return http2.ConnectionError(http2.ErrCodeProtocol)
	case s == nil || s.whole:
		return http2.StreamError{StreamID: f.StreamID, Code: http2.ErrCodeStreamClosed}
	case f.StreamEnded():
		return c.asked(s)
	case f.Length > 0:
		return c.framer.WriteWindowUpdate(s.id, f.Length)
	}
	return nil
}

// asked answers a request that was read to its end, when its time has come.
func (c *h2Conn) asked(s *h2Stream) error {
	s.whole = true
	came, wait := c.book.enter()
	if wait <= 0 {
		c.reply(s, came)
		return nil
	}
	time.AfterFunc(wait, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.streams[s.id] == s {
			c.reply(s, came)
			_ = c.flush() // reading tells
		}
	})
	return nil
}

// reset gives up one stream.
func (c *h2Conn) reset(e http2.StreamError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last, e.StreamID)
	c.forget(e.StreamID)
	_ = c.framer.WriteRSTStream(e.StreamID, e.Code) // into memory
}

func (c *h2Conn) forget(stream uint32) { delete(c.streams, stream) }

// readPreface reads what follows the first bytes of a connection that wants to
// speak HTTP/2.
func readPreface(r io.Reader, first string) error {
	rest := make([]byte, len(http2.ClientPreface)-len(first))
	if _, err := io.ReadFull(r, rest); err != nil {
		return err
	}
	if got := first + string(rest); got != http2.ClientPreface {
		return fmt.Errorf("a connection begins with %q", got)
	}
	return nil
}
