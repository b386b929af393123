package h2

import (
	"encoding/binary"

	"golang.org/x/net/http2"
)

// frames cuts what the server sends into frames, and holds it to their order.
type frames struct {
	prefix [frameHead]byte // of the frame in hand
	have   int             // bytes of it
	frame  frame
	inside bool   // the prefix is complete, the payload is not
	held   []byte // of the payload of any frame but DATA
	left   int    // bytes of the payload of DATA that are to come
	pad    int    // of these, at the end, that are padding; −1: the length is to come

	greeted bool   // the server's settings came
	header  uint32 // stream of the header block that CONTINUATION goes on with; 0: none
}

type frame struct {
	length int
	kind   http2.FrameType
	flags  http2.Flags
	stream uint32
}

// head takes the next part of the head of a frame, and reports whether that is whole.
func (f *frames) head(b []byte) (n int, whole bool, err error) {
	h, is := &f.prefix, &f.frame
	n = copy(h[f.have:], b)
	if f.have += n; f.have < frameHead {
		// What does not speak HTTP/2 may never send the rest of what would be a frame.
		if !f.greeted && f.have > 3 && http2.FrameType(h[3]) != http2.FrameSettings {
			err = malformed("malformed: the server begins with %s, which is no HTTP/2", excerpt(b))
		}
		return n, false, err
	}
	f.have = 0
	*is = frame{
		length: int(h[0])<<16 | int(h[1])<<8 | int(h[2]), kind: http2.FrameType(h[3]), flags: http2.Flags(h[4]),
		stream: binary.BigEndian.Uint32(h[5:]) & maxWindow,
	}
	f.inside = is.length > 0
	switch {
	case !f.greeted && (is.kind != http2.FrameSettings || is.length > maxFrame):
		err = malformed("malformed: the server begins with %s, which is no HTTP/2", excerpt(append(h[:], b[n:]...)))
	case is.length > maxFrame:
		err = malformed("a frame (%v) of %d bytes, more than the %d that were agreed on", is.kind, is.length, maxFrame)
	case f.header != 0 && (is.kind != http2.FrameContinuation || is.stream != f.header):
		err = malformed("a frame (%v) in the middle of a header", is.kind)
	case f.header == 0 && is.kind == http2.FrameContinuation:
		err = malformed("a frame (%v) without a header", is.kind)
	case is.kind == http2.FrameData:
		if f.left, f.pad = is.length, 0; is.flags.Has(http2.FlagDataPadded) {
			f.pad = -1
		}
	}
	return n, true, err
}

// payload takes the next part of the payload of any frame but DATA; whole: it is
// complete, and lasts until more is taken.
func (f *frames) payload(b []byte) (n int, payload []byte, whole bool) {
	missing := f.frame.length - len(f.held)
	if len(f.held) == 0 && len(b) >= missing { // all of it, in place
		f.inside = false
		return missing, b[:missing], true
	}
	n = min(missing, len(b))
	f.held = append(f.held, b[:n]...)
	if len(f.held) < f.frame.length {
		return n, nil, false
	}
	payload = f.held
	f.inside, f.held = false, f.held[:0]
	return n, payload, true
}

// data takes the next part of the payload of DATA, and returns what of it is no
// padding.
func (f *frames) data(b []byte) (n int, part []byte, err error) {
	if f.pad < 0 {
		n, f.pad = 1, int(b[0])
		if f.pad >= f.left {
			return n, nil, malformed("DATA with more padding than payload")
		}
	} else if n = min(len(b), f.left); n <= f.left-f.pad {
		part = b[:n]
	} else {
		part = b[:max(0, f.left-f.pad)]
	}
	f.left -= n
	f.inside = f.left > 0
	return n, part, nil
}
