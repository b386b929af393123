package load

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark/internal/measure/load/h2"
)

// maxAnswer is how long one message of an answer may be.
const maxAnswer = 64 << 20

// callAnswer takes the messages of one gRPC answer apart.
type callAnswer struct {
	sum    *bodySum
	hash   bool
	single bool // one message is due, no more and no less

	prefix   [grpcPrefix]byte
	have     int   // bytes of it
	left     int64 // bytes of the message in hand that are to come
	messages int   // begun
	bytes    int64 // of messages, without prefixes
	err      error
}

func (a *callAnswer) reset(single, hash bool) {
	*a = callAnswer{sum: a.sum, hash: hash, single: single}
}

// add takes a part of the body.
func (a *callAnswer) add(b []byte) {
	for len(b) > 0 && a.err == nil {
		if a.left == 0 {
			n := copy(a.prefix[a.have:], b)
			a.have, b = a.have+n, b[n:]
			if a.have == grpcPrefix {
				a.begin()
			}
			continue
		}
		n := min(a.left, int64(len(b)))
		if a.hash {
			a.sum.add(b[:n])
		}
		a.left, a.bytes, b = a.left-n, a.bytes+n, b[n:]
	}
}

// begin reads the prefix of a message.
func (a *callAnswer) begin() {
	a.have = 0
	a.messages++
	a.left = int64(binary.BigEndian.Uint32(a.prefix[1:]))
	switch {
	case a.prefix[0] != 0:
		a.err = badCall("message %d of the answer is compressed (%#x), which nobody asked for", a.messages, a.prefix[0])
	case a.left > maxAnswer:
		a.err = badCall("message %d of the answer has %d bytes, more than %d", a.messages, a.left, maxAnswer)
	case a.single && a.messages > 1:
		a.err = badCall("a second message in the answer: does the server stream here?")
	}
}

// finish reads the header and trailer of an answer that is whole. detail is what
// the server said of a status that is not OK; err that the answer is none of gRPC.
func (a *callAnswer) finish(h *h2.Answer) (status int, detail, err error) {
	code, bad := strconv.ParseUint(h.GRPCStatus, 10, 31)
	switch {
	case h.Status != http.StatusOK:
		return 0, nil, badCall("status %d %s of HTTP: the answer is not gRPC", h.Status, http.StatusText(h.Status))
	case h.ContentType != "application/grpc" && !strings.HasPrefix(h.ContentType, "application/grpc+") && !strings.HasPrefix(h.ContentType, "application/grpc;"):
		return 0, nil, badCall("content type %.60q: the answer is not gRPC", h.ContentType)
	case bad != nil:
		return 0, nil, badCall("the answer has no grpc-status but %.20q", h.GRPCStatus)
	case code == 0:
		return http.StatusOK, nil, a.whole()
	}
	known := codeOf(code)
	words := "gRPC " + known.name
	if said, err := url.PathUnescape(h.GRPCMessage); err == nil && said != "" {
		words += " " + strconv.QuoteToASCII(said[:min(len(said), excerpt)])
	}
	return known.status, errors.New(words), nil
}

// whole reports what a call that succeeded lacks.
func (a *callAnswer) whole() error {
	switch {
	case a.err != nil:
		return a.err
	case a.have > 0:
		return badCall("the answer ends within the prefix of its message %d", a.messages+1)
	case a.left > 0:
		return badCall("the answer ends %d bytes before its message %d does", a.left, a.messages)
	case a.single && a.messages == 0:
		return badCall("an answer without a message: does the server stream here?")
	}
	return nil
}

func badCall(format string, args ...any) error {
	return &h2.ProtocolError{Msg: fmt.Sprintf(format, args...)}
}
