package h2

import (
	"bytes"
	"encoding/binary"
	"io"

	"golang.org/x/net/http2"
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
	sink func([]byte)
	stream
	reader

	out     []byte // to be written
	written int    // of it

	encoder *hpack.Encoder
	block   bytes.Buffer // a header, encoded

	number    uint32 // of the stream in hand, or of the last one
	greeted   bool   // the server's settings came
	leaving   bool   // the server takes no more requests
	broken    error
	farewell  error // why the server leaves, when that was not for good manners
	room      int64 // that the server has for bodies, on all streams
	window    int64 // that it gives a new stream
	largest   int   // payload that it takes
	unclaimed int64 // bytes that came since the server's room here was restored
}

// stream is the request in hand and its answer.
type stream struct {
	asked  bool   // and not answered
	headOf bool   // it asks for a header alone
	body   []byte // of the request, not yet encoded
	room   int64  // that the server has for it
	closed bool   // the request was sent to its end

	answer    Answer
	started   bool // something of the answer came
	final     bool // its header came, one that is not 1xx
	expected  int64
	unclaimed int64
	unseen    bool
}

// Answer is what a server said.
type Answer struct {
	Status int   // never 1xx; 0 before the header is complete
	Body   int64 // bytes so far
	// Of the header or of the trailer, empty when they were not there.
	ContentType, GRPCStatus, GRPCMessage, GRPCEncoding string
}

// Open begins a connection: what came before is forgotten, and the preface is to be
// written.
func (c *Conn) Open() {
	*c = Conn{sink: c.sink, out: c.out[:0], room: firstWindow, window: firstWindow, largest: maxFrame}
	c.encoder = hpack.NewEncoder(&c.block)
	c.encoder.SetMaxDynamicTableSizeLimit(tableSize)
	c.decoder = hpack.NewDecoder(tableSize, c.field)
	c.decoder.SetMaxStringLength(maxHead)
	c.out = append(c.out, http2.ClientPreface...)
	c.out = appendHead(c.out, 3*6, http2.FrameSettings, 0, 0)
	for _, s := range []http2.Setting{
		{ID: http2.SettingEnablePush, Val: 0},
		{ID: http2.SettingInitialWindowSize, Val: streamWindow},
		{ID: http2.SettingMaxHeaderListSize, Val: maxHead},
	} {
		c.out = binary.BigEndian.AppendUint16(c.out, uint16(s.ID))
		c.out = binary.BigEndian.AppendUint32(c.out, s.Val)
	}
	c.appendUpdate(0, connWindow-firstWindow)
}

// SetSink has the bytes of bodies handed to f; nil: to nobody. f must not keep the
// slice.
func (c *Conn) SetSink(f func([]byte)) { c.sink = f }

// Ask begins a request; the one before was answered or cancelled.
func (c *Conn) Ask(r *Request) {
	c.number += 2
	if c.number == 2 {
		c.number = 1
	}
	c.stream = stream{asked: true, headOf: r.Head, body: r.Body, room: c.window, expected: -1}
	c.block.Reset()
	for i := range r.Fields {
		_ = c.encoder.WriteField(r.Fields[i]) // bytes.Buffer takes everything
	}
	c.appendHeader(c.block.Bytes(), len(r.Body) == 0)
	c.closed = len(r.Body) == 0
}

// Cancel gives up the request in hand. The connection stays fit for others, unless
// the server has not said a word on it.
func (c *Conn) Cancel() {
	if c.asked {
		c.asked, c.body = false, nil
		c.appendReset(http2.ErrCodeCancel)
	}
}

// Fit reports whether the connection may carry another request.
func (c *Conn) Fit() bool {
	return c.greeted && !c.leaving && c.broken == nil && c.number < lastStream
}

// Answer returns what came of the answer to the request in hand, or to the last one.
func (c *Conn) Answer() *Answer { return &c.answer }

// Started reports whether something of the answer came.
func (c *Conn) Started() bool { return c.started }

// Unseen reports whether the server said that it did not look at the request, which
// may then be repeated on another connection (§6.8, §8.7).
func (c *Conn) Unseen() bool { return c.unseen }

// Close says that the server closed the connection, and returns why the request in
// hand has no answer: the error of Feed when there was one, io.EOF when not one byte
// of the answer had come, else io.ErrUnexpectedEOF; nil without a request.
func (c *Conn) Close() error {
	c.leaving = true
	switch {
	case c.broken != nil:
		return c.broken
	case !c.asked:
		return nil
	case c.farewell != nil:
		return c.farewell
	case !c.started:
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}
