package h2

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// sender encodes what is to be written, and keeps to the room that the server has.
type sender struct {
	out     []byte // to be written
	written int    // of it

	encoder *hpack.Encoder
	block   bytes.Buffer // a header, encoded
	largest int          // payload that the server takes
	window  int64        // room that it gives a new stream
	room    int64        // that it has for bodies, on all streams

	// Of the request in hand, or of the last one.
	stream     uint32
	body       []byte // not yet encoded
	streamRoom int64  // that the server has for it
	closed     bool   // it was sent to its end
}

// open begins a connection: the preface and our settings are to be written.
func (s *sender) open() {
	*s = sender{out: s.out[:0], room: firstWindow, window: firstWindow, largest: maxFrame}
	s.encoder = hpack.NewEncoder(&s.block)
	s.encoder.SetMaxDynamicTableSizeLimit(tableSize)
	s.out = append(s.out, http2.ClientPreface...)
	s.out = appendHead(s.out, 3*6, http2.FrameSettings, 0, 0)
	for _, set := range []http2.Setting{
		{ID: http2.SettingEnablePush, Val: 0},
		{ID: http2.SettingInitialWindowSize, Val: streamWindow},
		{ID: http2.SettingMaxHeaderListSize, Val: maxHead},
	} {
		s.out = binary.BigEndian.AppendUint16(s.out, uint16(set.ID))
		s.out = binary.BigEndian.AppendUint32(s.out, set.Val)
	}
	s.update(0, connWindow-firstWindow)
}

// obey takes one of the server's settings.
func (s *sender) obey(set http2.Setting) error {
	switch set.ID {
	case http2.SettingHeaderTableSize:
		s.encoder.SetMaxDynamicTableSize(min(set.Val, tableSize))
	case http2.SettingInitialWindowSize:
		s.streamRoom += int64(set.Val) - s.window // may be negative (§6.9.2)
		if s.window = int64(set.Val); s.streamRoom > maxWindow {
			return malformed("SETTINGS with %v: a window of more than 2^31−1", set)
		}
	case http2.SettingMaxFrameSize:
		s.largest = int(set.Val)
	}
	return nil
}

// ask encodes the header of a request; its body follows as there is room.
func (s *sender) ask(stream uint32, r *Request) {
	s.stream, s.body, s.streamRoom, s.closed = stream, r.Body, s.window, len(r.Body) == 0
	s.block.Reset()
	for i := range r.Fields {
		_ = s.encoder.WriteField(r.Fields[i]) // bytes.Buffer takes everything
	}
	s.header(s.block.Bytes(), s.closed)
}

// abandon gives up the request: nothing more of it is sent, or wanted.
func (s *sender) abandon() {
	s.body = nil
	s.out = appendHead(s.out, 4, http2.FrameRSTStream, 0, s.stream)
	s.out = binary.BigEndian.AppendUint32(s.out, uint32(http2.ErrCodeCancel))
}

// pending returns what is to be written next.
func (s *sender) pending() []byte {
	if s.written == len(s.out) {
		s.out, s.written = s.out[:0], 0
	}
	if len(s.body) > 0 {
		s.encodeBody()
	}
	return s.out[s.written:]
}

// waiting is how many bytes are encoded and not written.
func (s *sender) waiting() int { return len(s.out) - s.written }

// encodeBody encodes as much of the body as the server has room for.
func (s *sender) encodeBody() {
	for len(s.body) > 0 && s.waiting() < aheadBytes {
		n := int(min(int64(len(s.body)), int64(s.largest), maxFrame, s.room, s.streamRoom))
		if n <= 0 {
			return
		}
		var flags http2.Flags
		if s.closed = n == len(s.body); s.closed {
			flags = http2.FlagDataEndStream
		}
		s.out = appendHead(s.out, n, http2.FrameData, flags, s.stream)
		s.out = append(s.out, s.body[:n]...)
		s.body = s.body[n:]
		s.room -= int64(n)
		s.streamRoom -= int64(n)
	}
}

// header appends a header block, in as many frames as it needs.
func (s *sender) header(block []byte, end bool) {
	kind := http2.FrameHeaders
	var flags http2.Flags
	if end {
		flags = http2.FlagHeadersEndStream
	}
	for first := true; first || len(block) > 0; first = false {
		n := min(len(block), s.largest)
		if n == len(block) {
			flags |= http2.FlagHeadersEndHeaders
		}
		s.out = appendHead(s.out, n, kind, flags, s.stream)
		s.out = append(s.out, block[:n]...)
		block, kind, flags = block[n:], http2.FrameContinuation, 0
	}
}

// update gives the server room for n bytes more on a stream; 0: on all.
func (s *sender) update(stream uint32, n int64) {
	s.out = appendHead(s.out, 4, http2.FrameWindowUpdate, 0, stream)
	s.out = binary.BigEndian.AppendUint32(s.out, uint32(n))
}

// acknowledge answers a frame with one of its kind.
func (s *sender) acknowledge(kind http2.FrameType, payload []byte) {
	s.out = appendHead(s.out, len(payload), kind, http2.FlagSettingsAck, 0) // that of PING is the same
	s.out = append(s.out, payload...)
}

func appendHead(out []byte, length int, kind http2.FrameType, flags http2.Flags, stream uint32) []byte {
	out = append(out, byte(length>>16), byte(length>>8), byte(length), byte(kind), byte(flags))
	return binary.BigEndian.AppendUint32(out, stream)
}

// credit counts what a server sent since the room that it has here was restored.
type credit struct{ used int64 }

// take counts n bytes more, and returns by how much to restore the room: not before
// half of it is gone, because an update for each answer would cost more than the
// answer.
func (c *credit) take(n, room int64) (restore int64) {
	if c.used += n; c.used >= room/2 {
		restore, c.used = c.used, 0
	}
	return restore
}
