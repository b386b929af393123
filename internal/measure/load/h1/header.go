package h1

import (
	"bytes"
	"math"
)

// protocol is what every status line begins with.
const protocol = "HTTP/"

// statusLine reads a line such as "HTTP/1.1 200 OK".
func (p *Parser) statusLine(line []byte) error {
	version, rest, ok := bytes.Cut(line, []byte(" "))
	rest = bytes.TrimLeft(rest, " ")
	if !ok || !bytes.HasPrefix(version, []byte(protocol)) || !isStatus(rest) {
		return malformed("malformed status line %s", excerpt(line))
	}
	if len(version) != len("HTTP/1.1") || string(version[:7]) != "HTTP/1." || !isDigit(version[7]) {
		return malformed("not HTTP/1.1 but version %s", excerpt(version))
	}
	code := int(rest[0]-'0')*100 + int(rest[1]-'0')*10 + int(rest[2]-'0')
	if code < 100 {
		return malformed("status below 100 in %s", excerpt(line))
	}
	p.framing = framing{code: code, old: version[7] == '0'}
	p.state = inField
	return nil
}

// isStatus reports whether b is three digits, with or without a reason.
func isStatus(b []byte) bool {
	return len(b) >= 3 && isDigit(b[0]) && isDigit(b[1]) && isDigit(b[2]) && (len(b) == 3 || b[3] == ' ')
}

// endHeader follows the empty line after the fields and says where the body ends
// (RFC 9112, section 6.3).
func (p *Parser) endHeader() error {
	f := &p.framing
	switch {
	case f.code == 101:
		return malformed(`status 101: it switches to a protocol that nobody asked for`)
	case f.code < 200:
		p.state = inStatus
		return nil
	}
	p.status = f.code
	p.keep = !f.close && (!f.old || f.keepAlive)
	switch {
	case p.head || f.code == 204 || f.code == 304:
		p.state = complete
	case f.chunked:
		p.state = inSize
		p.keep = p.keep && !f.counted && !f.old
	case f.counted && f.length == 0:
		p.state = complete
	case f.counted:
		p.state, p.left = inFixed, f.length
	default:
		p.state, p.keep = inRest, false
	}
	return nil
}

// field splits a line of a header or trailer.
func field(line []byte) (name, value []byte, err error) {
	if line[0] == ' ' || line[0] == '\t' {
		return nil, nil, malformed("folded header line %s", excerpt(line))
	}
	i := bytes.IndexByte(line, ':')
	if i < 0 {
		return nil, nil, malformed("malformed header line without a colon %s", excerpt(line))
	}
	name, value = line[:i], line[i+1:]
	if !isToken(name) {
		return nil, nil, malformed("malformed header name in %s", excerpt(line))
	}
	if bytes.IndexByte(value, 0) >= 0 || bytes.IndexByte(value, '\r') >= 0 {
		return nil, nil, malformed("malformed header value in %s: it has a NUL or CR", excerpt(line))
	}
	return name, trim(value), nil
}

// read takes from a field what decides where the response ends and whether the
// connection stays.
func (f *framing) read(name, value []byte) error {
	switch {
	case len(name) == len("connection") && equalFold(name, "connection"):
		f.connection(value)
	case len(name) == len("content-length") && equalFold(name, "content-length"):
		n, ok := decimal(value)
		if !ok {
			return malformed("malformed Content-Length %s", excerpt(value))
		}
		if f.counted && n != f.length {
			return malformed("two values of Content-Length: %d and %d", f.length, n)
		}
		f.counted, f.length = true, n
	case len(name) == len("transfer-encoding") && equalFold(name, "transfer-encoding"):
		if f.chunked || !equalFold(value, "chunked") {
			return malformed("unsupported Transfer-Encoding %s: only one, chunked, is", excerpt(value))
		}
		f.chunked = true
	}
	return nil
}

// connection reads the options of a Connection field, a list.
func (f *framing) connection(value []byte) {
	for more := true; more; {
		var option []byte
		option, value, more = bytes.Cut(value, []byte(","))
		option = trim(option)
		f.close = f.close || equalFold(option, "close")
		f.keepAlive = f.keepAlive || equalFold(option, "keep-alive")
	}
}

// chunkSize reads the line before a chunk. Its extensions mean nothing here.
func (p *Parser) chunkSize(line []byte) error {
	i, size := 0, int64(0)
	for ; i < len(line); i++ {
		digit, ok := hex(line[i])
		if !ok {
			break
		}
		if size > math.MaxInt64>>4 {
			return malformed("chunk size %s is above 2^63", excerpt(line))
		}
		size = size<<4 | digit
	}
	rest := trim(line[i:])
	if i == 0 || len(rest) > 0 && rest[0] != ';' {
		return malformed("malformed chunk size %s", excerpt(line))
	}
	p.left = size
	p.state = inChunk
	if size == 0 {
		p.state = inTrailer
	}
	return nil
}
