package h2

import (
	"io"

	"golang.org/x/net/http2/hpack"
)

const (
	frameHead    = 9       // bytes: length in 3, type, flags, stream in 4 (§4.1)
	maxFrame     = 1 << 14 // bytes of payload that both sides take without settings
	firstWindow  = 1<<16 - 1
	maxWindow    = 1<<31 - 1
	tableSize    = 4096 // of header compression, both ways
	maxHead      = 256 << 10
	streamWindow = 4 << 20 // what a server may send of an answer before it hears of us
	connWindow   = 1 << 30
	// aheadBytes of a request's body are encoded at most before they are written: a
	// server that answers early wants no more of it.
	aheadBytes = 2 * maxFrame
	// floodBytes of answers to control frames may wait to be written.
	floodBytes = 1 << 20
	lastStream = 1 << 30 // a connection is given up before its numbers end
)

// Request is what is asked. Conn keeps no part of it after the answer.
type Request struct {
	// Fields are the header, the pseudo fields first; names in lower case.
	Fields []hpack.HeaderField
	Body   []byte
	Head   bool // its answer has no body
}

// Conn is one connection. The zero value is to be opened. It is not safe for
// concurrent use.
type Conn struct {
	sink   func([]byte)
	in     frames
	fields fields
	stream stream
	out    sender

	leaving  bool // the server takes no more requests
	broken   error
	farewell error  // why the server leaves, when that was not for good manners
	credit   credit // of the server, for all streams
}

// stream is the request in hand, or the last one, and its answer.
type stream struct {
	number uint32
	asked  bool // and not answered
	headOf bool // it asks for a header alone

	answer   Answer
	final    bool  // its header came, one that is not 1xx
	expected int64 // bytes of its body; −1: not declared
	credit   credit
}

// current reports whether a frame of that stream is of the answer in hand.
func (s *stream) current(number uint32) bool { return s.asked && number == s.number }

// idle reports whether no request was ever sent on a stream.
func (s *stream) idle(number uint32) bool {
	return number == 0 || number%2 == 0 || number > s.number
}

// take counts n bytes of the body.
func (s *stream) take(n int) error {
	if s.headOf {
		return malformed("a body in the answer to HEAD")
	}
	s.answer.Body += int64(n)
	if s.expected >= 0 && s.answer.Body > s.expected {
		return malformed("bad Content-Length: a body of more than the %d bytes that were declared", s.expected)
	}
	return nil
}

// end follows the last byte of an answer.
func (s *stream) end() error {
	if s.expected >= 0 && s.answer.Body != s.expected && !s.headOf && s.answer.Status != 304 {
		return malformed("bad Content-Length: a body of %d bytes, %d were declared", s.answer.Body, s.expected)
	}
	s.asked = false
	return nil
}

// Answer is what a server said.
type Answer struct {
	Started bool // something of it came
	// Unseen says that the server did not look at the request, which may then be
	// repeated on another connection (§6.8, §8.7).
	Unseen bool

	Status int   // never 1xx; 0 before the header is complete
	Body   int64 // bytes so far
	// Of the header or of the trailer, empty when they were not there.
	ContentType, GRPCStatus, GRPCMessage, GRPCEncoding string
}

// Open begins a connection: what came before is forgotten, and the preface is to be
// written.
func (c *Conn) Open() {
	*c = Conn{sink: c.sink, out: sender{out: c.out.out}}
	c.out.open()
	c.fields.open(&c.stream.answer)
}

// SetSink has the bytes of bodies handed to f; nil: they are dropped. f must not keep the
// slice.
func (c *Conn) SetSink(f func([]byte)) { c.sink = f }

// Ask begins a request; the one before was answered or cancelled.
func (c *Conn) Ask(r *Request) {
	number := c.stream.number + 2
	if number == 2 {
		number = 1
	}
	c.stream = stream{number: number, asked: true, headOf: r.Head, expected: -1}
	c.out.ask(number, r)
}

// Cancel gives up the request in hand. The connection stays fit for others, unless
// the server has not said a word on it.
func (c *Conn) Cancel() {
	if c.stream.asked {
		c.stream.asked = false
		c.out.abandon()
	}
}

// Fit reports whether the connection may carry another request.
func (c *Conn) Fit() bool {
	return c.in.greeted && !c.leaving && c.broken == nil && c.stream.number < lastStream
}

// Pending returns what is to be written next, empty when there is nothing. It is
// valid until the next call of a method.
func (c *Conn) Pending() []byte { return c.out.pending() }

// Wrote says that n bytes of Pending were written.
func (c *Conn) Wrote(n int) { c.out.written += n }

// Answer returns what came of the answer to the request in hand, or to the last one.
func (c *Conn) Answer() *Answer { return &c.stream.answer }

// Close says that the server closed the connection, and returns why the request in
// hand has no answer: the error of Feed when there was one, io.EOF when not one byte
// of the answer had come, else io.ErrUnexpectedEOF; nil without a request.
func (c *Conn) Close() error {
	c.leaving = true
	switch {
	case c.broken != nil:
		return c.broken
	case !c.stream.asked:
		return nil
	case c.farewell != nil:
		return c.farewell
	case !c.stream.answer.Started:
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}
