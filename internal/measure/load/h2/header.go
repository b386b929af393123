package h2

import (
	"strconv"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// fields decodes header blocks, one after the other.
type fields struct {
	decoder *hpack.Decoder
	answer  *Answer // takes those that it knows
	block   block
}

// block is what a header block says as it is decoded.
type block struct {
	wanted  bool // it is of the answer in hand
	trailer bool
	ends    bool // it ends its stream
	regular bool // a field that is not pseudo came
	size    int
	status  int
	length  int64 // −1: not declared
	err     error
}

func (d *fields) open(answer *Answer) {
	d.answer, d.decoder = answer, hpack.NewDecoder(tableSize, d.field)
	d.decoder.SetMaxStringLength(maxHead)
}

// write decodes a part of the block. All blocks are decoded, those of requests that
// were given up too: they change the table.
func (d *fields) write(b []byte, last bool) error {
	_, err := d.decoder.Write(b)
	if err == nil && last {
		err = d.decoder.Close()
	}
	if err != nil {
		return malformed("malformed header: %v", err)
	}
	return d.block.err
}

// headers takes a HEADERS frame: the header of an answer, one before it (1xx), or
// its trailer.
func (c *Conn) headers(payload []byte) error {
	f := &c.in.frame
	if c.stream.idle(f.stream) {
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
	current := c.stream.current(f.stream)
	c.fields.block = block{wanted: current, trailer: c.stream.final, ends: f.flags.Has(http2.FlagHeadersEndStream), length: -1}
	if current {
		c.stream.answer.Started = true
	}
	return c.fragment(payload)
}

// fragment takes a part of a header block.
func (c *Conn) fragment(b []byte) error {
	f := &c.in.frame
	last := f.flags.Has(http2.FlagHeadersEndHeaders)
	if c.in.header = 0; !last {
		c.in.header = f.stream
	}
	if err := c.fields.write(b, last); err != nil || !last || !c.fields.block.wanted {
		return err
	}
	return c.endHeader()
}

// endHeader reads what the fields of a block say together.
func (c *Conn) endHeader() error {
	f, s := &c.fields.block, &c.stream
	switch {
	case f.trailer && !f.ends:
		return malformed("a second header in an answer")
	case f.trailer:
		return c.end()
	case f.status == 0:
		return malformed("malformed header: no :status")
	case f.status < 200:
		if f.ends {
			return malformed("an answer that ends with status %d", f.status)
		}
		s.answer = Answer{Started: true}
		return nil
	}
	s.final, s.answer.Status, s.expected = true, f.status, f.length
	if f.ends {
		return c.end()
	}
	return nil
}

// field takes one field of a block (§8.2, §8.3).
func (d *fields) field(h hpack.HeaderField) {
	f := &d.block
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
		d.answer.ContentType = h.Value
	case "grpc-status":
		d.answer.GRPCStatus = h.Value
	case "grpc-message":
		d.answer.GRPCMessage = h.Value
	case "grpc-encoding":
		d.answer.GRPCEncoding = h.Value
	case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade":
		f.err = malformed("malformed header: field %s, which HTTP/2 has not", h.Name)
	default:
		if !named(h.Name) {
			f.err = malformed("malformed header: field name %s", excerpt([]byte(h.Name)))
		}
	}
}

func (f *block) pseudo(h hpack.HeaderField) {
	n, err := strconv.ParseUint(h.Value, 10, 16)
	if h.Name != ":status" || f.status != 0 || f.regular || f.trailer || err != nil || len(h.Value) != 3 || n < 100 {
		f.err = malformed("malformed header: pseudo field %s: %s", excerpt([]byte(h.Name)), excerpt([]byte(h.Value)))
		return
	}
	f.status = int(n)
}

func (f *block) contentLength(value string) {
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
