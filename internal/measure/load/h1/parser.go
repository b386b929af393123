package h1

import (
	"bytes"
	"io"
)

// What one response may have at most. A Parser never holds more than one line.
const (
	maxHead      = 256 << 10 // bytes of all header blocks (those of 1xx too) and trailers
	maxStatus    = 8 << 10   // bytes of a status line
	maxChunkLine = 4 << 10   // bytes of a chunk's size and extensions
	keptCarry    = 8 << 10   // a longer buffer is not kept for the next response
)

// state is what the next byte belongs to.
type state uint8

const (
	inStatus state = iota
	inField
	inFixed    // a body of known length
	inRest     // a body that lasts until the connection ends
	inSize     // the line before a chunk
	inChunk    // its bytes
	inChunkEnd // the line end after it
	inTrailer
	complete
)

// Parser reads one response after another from bytes as they come. The zero value
// reads the answer to a GET. It is not safe for concurrent use.
type Parser struct {
	state   state
	head    bool // it answers a HEAD request
	started bool
	keep    bool // by version and Connection; valid once the header is complete
	framing framing
	status  int
	left    int64 // of the body, or of the chunk
	body    int64
	used    int    // of maxHead
	carry   []byte // the beginning of a line whose end has not come
	sink    func([]byte)
	err     error
}

// framing is what the header says about the response's end and what follows it.
type framing struct {
	code      int
	old       bool // HTTP/1.0
	close     bool
	keepAlive bool
	chunked   bool
	counted   bool // Content-Length is there
	length    int64
}

// Reset begins the next response; head says that it answers a HEAD request. What
// SetSink set stays.
func (p *Parser) Reset(head bool) {
	carry := p.carry[:0]
	if cap(carry) > keptCarry {
		carry = nil
	}
	*p = Parser{head: head, carry: carry, sink: p.sink}
}

// SetSink has the bytes of bodies handed to f, without chunk framing; nil: to
// nobody. f must not keep the slice, which is part of what was fed.
func (p *Parser) SetSink(f func([]byte)) { p.sink = f }

// Feed consumes bytes of b that belong to this response and reports whether it is
// complete. n is how many bytes were consumed: what is left of b belongs to the
// next response, or is surplus. After done, call Reset before Feed. An error is a
// *ProtocolError and lasts until Reset.
func (p *Parser) Feed(b []byte) (n int, done bool, err error) {
	if p.err != nil {
		return 0, false, p.err
	}
	for p.state != complete {
		if n == len(b) {
			return n, false, nil
		}
		p.started = true
		switch p.state {
		case inFixed, inChunk:
			k := int(min(p.left, int64(len(b)-n)))
			p.take(b[n : n+k])
			n += k
			if p.left -= int64(k); p.left == 0 {
				p.endPart()
			}
		case inRest:
			p.take(b[n:])
			n = len(b)
		default:
			line, k, ok, err := p.line(b[n:])
			n += k
			if ok {
				err = p.accept(line)
			}
			if err != nil {
				p.err = err
				return n, false, err
			}
		}
	}
	return n, true, nil
}

// Close says that the peer closed the connection. It returns nil when the response
// is complete, as one is whose body lasts until then; otherwise
// io.ErrUnexpectedEOF, or io.EOF when not one byte of the response had come.
func (p *Parser) Close() error {
	switch {
	case p.err != nil:
		return p.err
	case p.state == complete:
		p.keep = false
		return nil
	case p.state == inRest:
		p.state = complete
		return nil
	case !p.started:
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}

// Status returns the final status, never 1xx; 0 before the header is complete.
func (p *Parser) Status() int { return p.status }

// Body returns the number of body bytes so far, without chunk framing.
func (p *Parser) Body() int64 { return p.body }

// KeepAlive reports whether the connection may carry another request. It is false
// until the response is complete.
func (p *Parser) KeepAlive() bool { return p.keep && p.state == complete && p.err == nil }

// Started reports whether some byte of this response was seen.
func (p *Parser) Started() bool { return p.started }

func (p *Parser) take(b []byte) {
	p.body += int64(len(b))
	if p.sink != nil {
		p.sink(b)
	}
}

// endPart follows the last byte of a body of known length, or of a chunk.
func (p *Parser) endPart() {
	if p.state == inChunk {
		p.state = inChunkEnd
	} else {
		p.state = complete
	}
}

// line takes the next line from b, without its end; ok says that it is complete.
// In place when b has all of it, otherwise through p.carry.
func (p *Parser) line(b []byte) (line []byte, n int, ok bool, err error) {
	n = len(b)
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		n, ok = i+1, true
	}
	if err := p.limit(b[:n]); err != nil {
		return nil, n, false, err
	}
	if !ok {
		p.carry = append(p.carry, b...)
		return nil, n, false, p.hopeless(p.carry)
	}
	line = b[:n-1]
	if len(p.carry) > 0 {
		line = append(p.carry, line...)
		p.carry = line[:0]
	}
	if len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line, n, true, nil
}

// limit bounds a line of which b is the next part, and what a header may have in
// all. It counts bytes when they come, so that the outcome does not depend on how
// they were split.
func (p *Parser) limit(b []byte) error {
	size := len(p.carry) + len(b)
	switch p.state {
	case inStatus, inField, inTrailer:
		if p.state == inStatus && size > maxStatus {
			return malformed("status line is longer than %d bytes: %s", maxStatus, p.start(b))
		}
		if p.used += len(b); p.used > maxHead {
			return malformed("header is longer than %d bytes, at the line %s", maxHead, p.start(b))
		}
	case inSize:
		if size > maxChunkLine {
			return malformed("chunk size line is longer than %d bytes: %s", maxChunkLine, p.start(b))
		}
	}
	return nil
}

// start quotes the beginning of the line of which b is the next part.
func (p *Parser) start(b []byte) string {
	if len(p.carry) > 0 {
		b = append(p.carry, b[:min(len(b), excerptBytes)]...)
	}
	return excerpt(b)
}

// hopeless reports what is wrong with a line by its beginning. A peer that does not
// speak HTTP may never send the end of it.
func (p *Parser) hopeless(begin []byte) error {
	switch p.state {
	case inStatus:
		if n := min(len(begin), len(protocol)); string(begin[:n]) != protocol[:n] {
			return malformed("malformed status line %s", excerpt(begin))
		}
	case inSize:
		if _, ok := hex(begin[0]); !ok {
			return malformed("malformed chunk size %s", excerpt(begin))
		}
	case inChunkEnd:
		if string(begin) != "\r" {
			return malformed("chunk is longer than its size: %s follows", excerpt(begin))
		}
	}
	return nil
}

// accept reads a complete line.
func (p *Parser) accept(line []byte) error {
	switch p.state {
	case inStatus:
		return p.statusLine(line)
	case inField:
		if len(line) == 0 {
			return p.endHeader()
		}
		name, value, err := field(line)
		if err != nil {
			return err
		}
		return p.framing.read(name, value)
	case inSize:
		return p.chunkSize(line)
	case inChunkEnd:
		if len(line) > 0 {
			return malformed("chunk is longer than its size: %s follows", excerpt(line))
		}
		p.state = inSize
	case inTrailer:
		if len(line) == 0 {
			p.state = complete
			return nil
		}
		_, _, err := field(line)
		return err
	}
	return nil
}
