package proc

import (
	"io"
	"unicode/utf8"
)

// cleaner copies what a program printed without what a terminal would obey: escape
// sequences (ECMA-48) and control characters other than the end of a line and the
// tabulator. A service prints what its clients sent, and that must not move the cursor,
// rename the window or hide a line. It works on bytes, so that a sequence may come in
// pieces.
type cleaner struct {
	to    io.Writer
	state escapeState
	lead  bool // 0xC2 was held back: it begins U+0080 to U+00BF
}

type escapeState int

const (
	plainText    escapeState = iota
	escaped                  // after ESC
	intermediate             // after ESC and a byte of 0x20 to 0x2F: one final byte follows
	sequence                 // after ESC [: ends with a byte of 0x40 to 0x7E
	controlText              // after ESC ], P, X, ^ or _: ends with BEL or ESC \
	controlEnd               // after ESC within it
)

// Write never holds back text, and reports all of p as written unless it fails.
func (c *cleaner) Write(p []byte) (int, error) {
	out := make([]byte, 0, len(p))
	for _, b := range p {
		out = c.take(out, b)
	}
	if len(out) > 0 {
		if _, err := c.to.Write(out); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

func (c *cleaner) take(out []byte, b byte) []byte {
	if c.lead {
		c.lead = false
		if b >= 0x80 && b <= 0x9f {
			c.begin(b - 0x40) // U+009B is ESC [, and so on
			return out
		}
		if c.state == plainText {
			out = appendLead(out, b)
		}
	}
	if b == 0xc2 {
		c.lead = true
		return out
	}
	switch c.state {
	case plainText:
		switch {
		case b == 0x1b:
			c.state = escaped
		case b == '\n', b == '\t', b >= ' ' && b != 0x7f:
			return append(out, b)
		}
	case escaped:
		c.begin(b)
	case intermediate:
		if b < 0x20 || b > 0x2f {
			c.state = plainText
		}
	case sequence:
		c.inSequence(b)
	case controlText:
		switch b {
		case 0x07:
			c.state = plainText
		case 0x1b:
			c.state = controlEnd
		case '\n': // cut off: one line of log is lost, not all that follows
			c.state = plainText
			return append(out, b)
		}
	case controlEnd:
		c.state = controlText
		if b == '\\' {
			c.state = plainText
		}
	}
	return out
}

// appendLead writes a 0xC2 that was held back. Where it begins no character, as in text
// that is not UTF-8, it is replaced: bytes that are left out after it would otherwise let
// it meet one that makes a control character of both.
func appendLead(out []byte, next byte) []byte {
	if next >= 0xa0 && next <= 0xbf {
		return append(out, 0xc2)
	}
	return utf8.AppendRune(out, utf8.RuneError)
}

// begin takes the byte that says what an escape begins.
func (c *cleaner) begin(b byte) {
	switch {
	case b == '[':
		c.state = sequence
	case b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_':
		c.state = controlText
	case b >= 0x20 && b <= 0x2f:
		c.state = intermediate
	case b == 0x1b:
		c.state = escaped
	default:
		c.state = plainText
	}
}

func (c *cleaner) inSequence(b byte) {
	switch {
	case b == 0x1b:
		c.state = escaped
	case b >= 0x40 && b <= 0x7e, b < 0x20:
		c.state = plainText
	}
}

// clean is what cleaner makes of a text.
func clean(text []byte) string {
	var out sink
	c := cleaner{to: &out}
	_, _ = c.Write(text) // a sink takes all
	return string(out)
}

type sink []byte

func (s *sink) Write(p []byte) (int, error) {
	*s = append(*s, p...)
	return len(p), nil
}
