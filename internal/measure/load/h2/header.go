package h2

import (
	"strconv"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// fields is a header block as it is decoded.
type fields struct {
	wanted  bool // it is of the answer in hand
	trailer bool
	regular bool // a field that is not pseudo came
	size    int
	status  int
	length  int64 // −1: not declared
	err     error
}

// headers takes a HEADERS frame: the header of an answer, one before it (1xx), or
// its trailer.
func (c *Conn) headers(payload []byte) error {
	f := &c.frame
	if c.idle() {
		return malformed("HEADERS on stream %d, where nothing was asked", f.stream)
	}
	if f.flags.Has(http2.FlagHeadersPadded) {
		if len(payload) == 0 || int(payload[0]) >= len(payload) {
			return malformed("HEADERS with more padding than payload")
		}
		payload = payload[1 : len(payload)-int(payload[0])]
	}
	if f.flags.Has(http2.FlagHeadersPriority) {
		if len(payload) < 5 {
			return malformed("HEADERS with a priority of %d bytes", len(payload))
		}
		payload = payload[5:]
	}
	c.fields = fields{wanted: c.current(), trailer: c.final, length: -1}
	c.ends = f.flags.Has(http2.FlagHeadersEndStream)
	if c.current() {
		c.started = true
	}
	return c.fragment(payload)
}

// fragment takes a part of a header block.
func (c *Conn) fragment(b []byte) error {
	// All of them are decoded, those of requests that were given up too: they change
	// the table.
	if _, err := c.decoder.Write(b); err != nil {
		return malformed("malformed header: %v", err)
	}
	if c.header = 0; !c.frame.flags.Has(http2.FlagHeadersEndHeaders) {
		c.header = c.frame.stream
		return c.fields.err
	}
	if err := c.decoder.Close(); err != nil {
		return malformed("malformed header: %v", err)
	}
	if !c.fields.wanted || c.fields.err != nil {
		return c.fields.err
	}
	return c.endHeader()
}

// endHeader reads what the fields of a block say together.
func (c *Conn) endHeader() error {
	f := &c.fields
	switch {
	case f.trailer && !c.ends:
		return malformed("a second header in an answer")
	case f.trailer:
		return c.end()
	case f.status == 0:
		return malformed("malformed header: no :status")
	case f.status < 200:
		if c.ends {
			return malformed("an answer that ends with status %d", f.status)
		}
		c.answer = Answer{}
		return nil
	}
	c.final, c.answer.Status, c.expected = true, f.status, f.length
	if c.ends {
		return c.end()
	}
	return nil
}

// field takes one field of a block (§8.2, §8.3).
func (c *Conn) field(h hpack.HeaderField) {
	f := &c.fields
	if f.size += int(h.Size()); f.size > maxHead && f.err == nil {
		f.err = malformed("a header of more than %d bytes", maxHead)
	}
	if !f.wanted || f.err != nil {
		return
	}
	if strings.HasPrefix(h.Name, ":") {
		f.pseudo(h)
		return
	}
	f.regular = true
	switch h.Name {
	case "content-length":
		f.contentLength(h.Value)
	case "content-type":
		c.answer.ContentType = h.Value
	case "grpc-status":
		c.answer.GRPCStatus = h.Value
	case "grpc-message":
		c.answer.GRPCMessage = h.Value
	case "grpc-encoding":
		c.answer.GRPCEncoding = h.Value
	case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade":
		f.err = malformed("malformed header: field %s, which HTTP/2 has not", h.Name)
	default:
		if !named(h.Name) {
			f.err = malformed("malformed header: field name %s", excerpt([]byte(h.Name)))
		}
	}
}

func (f *fields) pseudo(h hpack.HeaderField) {
	n, err := strconv.ParseUint(h.Value, 10, 16)
	if h.Name != ":status" || f.status != 0 || f.regular || f.trailer || err != nil || len(h.Value) != 3 || n < 100 {
		f.err = malformed("malformed header: pseudo field %s: %s", excerpt([]byte(h.Name)), excerpt([]byte(h.Value)))
		return
	}
	f.status = int(n)
}

func (f *fields) contentLength(value string) {
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil || f.length >= 0 && f.length != int64(n) {
		f.err = malformed("bad Content-Length %s", excerpt([]byte(value)))
		return
	}
	if !f.trailer {
		f.length = int64(n)
	}
}

// named reports whether a field may have that name (§8.2.1).
func named(name string) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7f || 'A' <= c && c <= 'Z' || c == ':' {
			return false
		}
	}
	return name != ""
}
