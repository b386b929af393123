package load

import (
	"bytes"
	"net/http"
)

// A request's identity is a W3C trace context (version 00): 16 bytes of trace, 8 of parent, flags.
// The trace begins with "unpark", so that the probe's middleware knows those that are ours
// (probe.LogTrace), and ends with the serial number of the request. It is not sampled: a service
// that traces what it is told to must not do more for being measured.
const (
	traceparent = "Traceparent"
	ours        = "756e7061726b0000" // "unpark" in hexadecimal, and two bytes of nothing
	idDigits    = 16
	unnumbered  = "00-" + ours + "0000000000000000-8000000000000000-00"
)

// withIdentity adds the header, with a number that is yet to be put in.
func withIdentity(h http.Header) http.Header {
	if h = h.Clone(); h == nil {
		h = http.Header{}
	}
	h.Set(traceparent, unnumbered)
	return h
}

// identityIn is where the number begins in an encoded request; 0 where there is none.
func identityIn(encoded []byte) int {
	at := bytes.Index(encoded, []byte(unnumbered))
	if at < 0 {
		return 0
	}
	return at + len("00-"+ours)
}

// identify writes the number of a request over the idDigits that are there: in the trace, and, never
// 0, in the parent.
func identify(at []byte, serial int64) {
	hexadecimal(at[:idDigits], uint64(serial))
	hexadecimal(at[idDigits+1:2*idDigits+1], uint64(serial)|1<<63)
}

// identity is the whole value of the header.
func identity(serial int64) string {
	var id [len(unnumbered)]byte
	copy(id[:], unnumbered)
	identify(id[len("00-"+ours):], serial)
	return string(id[:])
}

func hexadecimal(dst []byte, v uint64) {
	const alphabet = "0123456789abcdef"
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i] = alphabet[v&15]
		v >>= 4
	}
}
