package h2

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/http2"
)

// excerptBytes of what a server sent are quoted in errors.
const excerptBytes = 48

// ProtocolError says how a server broke the protocol.
type ProtocolError struct {
	Msg string // with a short quoted excerpt
}

func (e *ProtocolError) Error() string { return "http2: " + e.Msg }

func malformed(format string, args ...any) error {
	return &ProtocolError{Msg: fmt.Sprintf(format, args...)}
}

// StreamError is a request that the server ended without a whole answer
// (RST_STREAM).
type StreamError struct {
	Code http2.ErrCode
}

func (e *StreamError) Error() string {
	return fmt.Sprintf("the server reset the request (RST_STREAM, %v)", e.Code)
}

// GoAwayError is a connection that the server ended before it saw the request, or
// because of a fault (GOAWAY).
type GoAwayError struct {
	Code  http2.ErrCode
	Debug string // what the server said of it, quoted; empty when it said nothing
}

func (e *GoAwayError) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("the server ended the connection (GOAWAY, %v): %s", e.Code, e.Debug), ": ")
}

func excerpt(b []byte) string { return strconv.QuoteToASCII(string(b[:min(len(b), excerptBytes)])) }
