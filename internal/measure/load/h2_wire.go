package load

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http2/hpack"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/h1"
	"github.com/unpark-go/unpark/internal/measure/load/h2"
)

// h2Wire is one kind of request as it goes over an HTTP/2 connection.
type h2Wire struct {
	fixed      h2.Request // when no part differs from request to request
	fields     []hpack.HeaderField
	body       []byte
	head       bool
	idempotent bool
	call       bool // it is one of gRPC
	single     bool // whose answer has one message

	target, payload unpark.Template // as kind has them
	stamp           bool
	traced          bool
}

// pathField is where the fields of a request have its path.
const pathField = 2

// The headers of a request that differ, as HTTP/2 writes them.
const (
	fieldSent   = "unpark-sent"
	fieldTraced = "traceparent"
)

func newH2Wires(s *settings) ([]h2Wire, error) {
	var all []h2Wire
	for i := range s.kinds {
		w, err := newH2Wire(&s.kinds[i])
		if err != nil {
			return nil, fmt.Errorf("load: %s: %w", s.kinds[i].name(), err)
		}
		all = append(all, w)
	}
	return all, nil
}

func newH2Wire(k *kind) (h2Wire, error) {
	w := h2Wire{
		body: k.body, head: k.method == http.MethodHead, idempotent: k.rpc == nil && idempotent(k.method),
		target: k.target, payload: k.payload, stamp: k.stamp, traced: k.traced,
	}
	host, scheme := k.host, k.url.Scheme
	if host == "" {
		host = h1.Host(k.url)
	}
	header := k.header
	if k.rpc != nil {
		header = nil // setRPC looked at it
		scheme = map[string]string{schemeGRPC: "http", schemeGRPCS: "https"}[scheme]
	}
	// The rules for fields and targets are the same in all versions.
	if _, err := h1.AppendRequest(nil, k.method, k.url, host, header, nil); err != nil {
		return w, err
	}
	w.fields = []hpack.HeaderField{
		{Name: ":method", Value: k.method},
		{Name: ":scheme", Value: scheme},
		{Name: ":path", Value: k.url.RequestURI()},
		{Name: ":authority", Value: host},
	}
	if k.rpc != nil {
		w.setCall(k.rpc)
	} else {
		w.setFields(k)
	}
	w.fixed = h2.Request{Fields: w.fields, Body: w.body, Head: w.head}
	return w, nil
}

// setFields appends the header of a kind over HTTP, without what HTTP/2 says otherwise (RFC 9113 §8.2.2).
func (w *h2Wire) setFields(k *kind) {
	for _, name := range slices.Sorted(maps.Keys(k.header)) {
		lower := strings.ToLower(name)
		switch lower {
		case "host", "content-length", "transfer-encoding", "trailer", "connection", "proxy-connection", "keep-alive", "upgrade", "te":
			continue
		}
		for _, v := range k.header[name] {
			if lower != "user-agent" || v != "" {
				w.fields = append(w.fields, hpack.HeaderField{Name: lower, Value: strings.Trim(v, " \t")})
			}
		}
	}
	// As net/http has it (x/net/http2/transport.go, shouldSendReqContentLength).
	if k.payload == nil && (len(k.body) > 0 || slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, k.method)) {
		w.fields = append(w.fields, hpack.HeaderField{Name: "content-length", Value: strconv.Itoa(len(k.body))})
	}
}

// setCall appends what gRPC asks for (gRPC over HTTP2, Requests).
func (w *h2Wire) setCall(r *rpc) {
	w.call, w.single = true, !r.server
	w.fields = append(
		w.fields, hpack.HeaderField{Name: "content-type", Value: "application/grpc"},
		hpack.HeaderField{Name: "user-agent", Value: r.agent}, hpack.HeaderField{Name: "te", Value: "trailers"},
	)
	for _, name := range slices.Sorted(maps.Keys(r.header)) {
		for _, v := range r.header[name] {
			if strings.HasSuffix(name, "-bin") {
				v = base64.RawStdEncoding.EncodeToString([]byte(v))
			}
			w.fields = append(w.fields, hpack.HeaderField{Name: name, Value: v})
		}
	}
}

func (w *h2Wire) varies() bool { return w.target != nil || w.payload != nil || w.stamp || w.traced }

// fill makes a request of a kind that varies; room is for its body, and is returned
// as it grew. What differs is kept out of the connection's table, from which it
// would drive the rest.
func (w *h2Wire) fill(r *h2.Request, room []byte, seed uint64, a ask) []byte {
	r.Head, r.Body, r.Fields = w.head, w.body, append(r.Fields[:0], w.fields...)
	if w.target != nil {
		room = w.target.Append(room[:0], seed, a.serial)
		r.Fields[pathField] = passing(":path", string(room))
	}
	if w.stamp {
		r.Fields = append(r.Fields, passing(fieldSent, strconv.FormatInt(a.sent, 10)))
	}
	if w.traced {
		r.Fields = append(r.Fields, passing(fieldTraced, identity(a.serial)))
	}
	if w.payload != nil {
		room = w.payload.Append(room[:0], seed, a.serial)
		r.Body = room
		r.Fields = append(r.Fields, passing("content-length", strconv.Itoa(len(room))))
	}
	return room
}

func passing(name, value string) hpack.HeaderField {
	return hpack.HeaderField{Name: name, Value: value, Sensitive: true}
}
