package load

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/h1"
)

// wire is one kind of request as it goes over an HTTP/1.1 connection.
type wire struct {
	fixed      []byte // the whole of it, when no part differs from request to request but its identity
	traced     int    // where the identity's digits begin, in fixed, or in rest; 0 where it has none
	head       bool   // the answer has no body
	idempotent bool   // may be repeated (RFC 9110 §9.2.2)

	// Of a request that differs: what stands around its templates.
	method, rest    []byte // "GET ", " HTTP/1.1\r\nHost: …\r\n"
	target, payload unpark.Template
	plainTarget     []byte
	plainPayload    []byte
	stamp           bool
}

// headerSent is where a request says when it was meant to be sent, in ns since 1970
// (probe.HeaderSent).
const headerSent = "Unpark-Sent: "

func newWire(k *kind) (wire, error) {
	w := wire{head: k.method == http.MethodHead, idempotent: idempotent(k.method)}
	header := k.header
	if k.traced {
		header = withIdentity(header)
	}
	if !k.varies() {
		var err error
		w.fixed, err = h1.AppendRequest(nil, k.method, k.url, k.host, header, k.body)
		if k.traced {
			w.traced = identityIn(w.fixed)
		}
		return w, err
	}
	all, err := h1.AppendRequest(nil, k.method, k.url, k.host, header, nil)
	if err != nil {
		return w, err
	}
	line, fields, ok := bytes.Cut(all, []byte("\r\n"))
	if !ok || !bytes.HasSuffix(fields, []byte("\r\n\r\n")) && len(fields) > 2 {
		return w, fmt.Errorf("encode %s: a request without header fields", k.name())
	}
	fields = bytes.TrimSuffix(bytes.TrimSuffix(fields, []byte("\r\n")), []byte("Content-Length: 0\r\n"))
	w.method = append([]byte(k.method), ' ')
	w.rest = append([]byte(" HTTP/1.1\r\n"), fields...)
	if k.traced {
		w.traced = identityIn(w.rest)
	}
	w.target, w.payload, w.stamp = k.target, k.payload, k.stamp
	w.plainTarget = bytes.TrimSuffix(line[len(w.method):], []byte(" HTTP/1.1"))
	w.plainPayload = k.body
	return w, nil
}

func idempotent(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}

// varies reports whether request k differs from request k+1.
func (w *wire) varies() bool { return w.fixed == nil || w.traced > 0 }

// append appends request k of a kind that varies, which was meant to be sent at an
// instant (ns since 1970); body is room for its body, which must be known before its
// length can be written. Both are returned as they grew.
func (w *wire) append(dst, body []byte, seed uint64, k, sent int64) (wired, room []byte) {
	if w.fixed != nil {
		dst = append(dst, w.fixed...)
		identify(dst[w.traced:], k)
		return dst, body
	}
	body = body[:0]
	if w.payload != nil {
		body = w.payload.Append(body, seed, k)
	} else {
		body = append(body, w.plainPayload...)
	}
	dst = append(dst, w.method...)
	if w.target != nil {
		dst = w.target.Append(dst, seed, k)
	} else {
		dst = append(dst, w.plainTarget...)
	}
	dst = append(dst, w.rest...)
	if w.traced > 0 {
		identify(dst[len(dst)-len(w.rest)+w.traced:], k)
	}
	if w.stamp {
		dst = append(dst, headerSent...)
		dst = strconv.AppendInt(dst, sent, 10)
		dst = append(dst, "\r\n"...)
	}
	if len(body) > 0 || !bytes.Equal(w.method, []byte("GET ")) && !w.head {
		dst = append(dst, "Content-Length: "...)
		dst = strconv.AppendInt(dst, int64(len(body)), 10)
		dst = append(dst, "\r\n"...)
	}
	dst = append(dst, "\r\n"...)
	return append(dst, body...), body
}
