package h2

import (
	"encoding/binary"

	"golang.org/x/net/http2"
)

// Pending returns what is to be written next, empty when there is nothing. It is
// valid until the next call of a method.
func (c *Conn) Pending() []byte {
	if c.written == len(c.out) {
		c.out, c.written = c.out[:0], 0
	}
	if len(c.body) > 0 {
		c.appendBody()
	}
	return c.out[c.written:]
}

// Wrote says that n bytes of Pending were written.
func (c *Conn) Wrote(n int) { c.written += n }

// appendBody encodes as much of the body as the server has room for.
func (c *Conn) appendBody() {
	for len(c.body) > 0 && len(c.out)-c.written < aheadBytes {
		n := int(min(int64(len(c.body)), int64(c.largest), maxFrame, c.room, c.stream.room))
		if n <= 0 {
			return
		}
		var flags http2.Flags
		if c.closed = n == len(c.body); c.closed {
			flags = http2.FlagDataEndStream
		}
		c.out = appendHead(c.out, n, http2.FrameData, flags, c.number)
		c.out = append(c.out, c.body[:n]...)
		c.body = c.body[n:]
		c.room -= int64(n)
		c.stream.room -= int64(n)
	}
}

// appendHeader appends a header block, in as many frames as it needs.
func (c *Conn) appendHeader(block []byte, end bool) {
	kind := http2.FrameHeaders
	var flags http2.Flags
	if end {
		flags = http2.FlagHeadersEndStream
	}
	for first := true; first || len(block) > 0; first = false {
		n := min(len(block), c.largest)
		if n == len(block) {
			flags |= http2.FlagHeadersEndHeaders
		}
		c.out = appendHead(c.out, n, kind, flags, c.number)
		c.out = append(c.out, block[:n]...)
		block, kind, flags = block[n:], http2.FrameContinuation, 0
	}
}

func (c *Conn) appendReset(code http2.ErrCode) {
	c.out = appendHead(c.out, 4, http2.FrameRSTStream, 0, c.number)
	c.out = binary.BigEndian.AppendUint32(c.out, uint32(code))
}

// appendUpdate gives the server room for n bytes more on a stream; 0: on all.
func (c *Conn) appendUpdate(stream uint32, n int64) {
	c.out = appendHead(c.out, 4, http2.FrameWindowUpdate, 0, stream)
	c.out = binary.BigEndian.AppendUint32(c.out, uint32(n))
}

// claim restores the room that n bytes took, when half of it is gone: an update for
// each answer would cost more than the answer.
func (c *Conn) claim(n int64) {
	if c.unclaimed += n; c.unclaimed >= connWindow/2 {
		c.appendUpdate(0, c.unclaimed)
		c.unclaimed = 0
	}
	if !c.current() {
		return
	}
	if c.stream.unclaimed += n; c.stream.unclaimed >= streamWindow/2 {
		c.appendUpdate(c.number, c.stream.unclaimed)
		c.stream.unclaimed = 0
	}
}

func appendHead(out []byte, length int, kind http2.FrameType, flags http2.Flags, stream uint32) []byte {
	out = append(out, byte(length>>16), byte(length>>8), byte(length), byte(kind), byte(flags))
	return binary.BigEndian.AppendUint32(out, stream)
}
