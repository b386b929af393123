package h1

import (
	"fmt"
	"strconv"
)

// excerptBytes of what was wrong are quoted in an error.
const excerptBytes = 48

// ProtocolError says in what way an answer is not HTTP/1.1, or a request cannot
// be sent as such.
type ProtocolError struct {
	Msg string // with a short quoted excerpt
}

func (e *ProtocolError) Error() string { return "h1: " + e.Msg }

func malformed(format string, args ...any) error {
	return &ProtocolError{Msg: fmt.Sprintf(format, args...)}
}

// excerpt quotes the beginning of b in ASCII.
func excerpt(b []byte) string {
	if len(b) <= excerptBytes {
		return strconv.QuoteToASCII(string(b))
	}
	return strconv.QuoteToASCII(string(b[:excerptBytes])) + "…"
}
