package requests

import (
	"bytes"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Template is text with places that differ from request to request.
type Template struct{ segments []segment }

// segment is literal text, then a place; the last one has none.
type segment struct {
	literal []byte
	fill    filling
	salt    uint64 // of the name, so that names differ and uses of one agree
	lines   lines  // of fillLine
}

type filling int

const (
	fillNothing filling = iota
	fillCounter
	fillRandom
	fillUUID
	fillLine
)

// Compile reads text in which {{counter}} is the number of the request, from 0,
// {{random}} a whole number from 0 up to 2⁵³ (which JSON keeps exact), {{uuid}} a
// UUID of version 4, and {{name}} a line of the file read under that name. The
// same name has the same value throughout one request, in whichever of its
// templates it stands. "{{{{" is a literal "{{".
//
// A name that is not known is an error that lists those that are. For a URL,
// compile with v.Escaped().
func Compile(text []byte, v Values) (*Template, error) {
	t := &Template{}
	var literal []byte
	for rest := text; ; {
		before, after, found := bytes.Cut(rest, []byte("{{"))
		literal = append(literal, before...)
		if !found {
			break
		}
		if bytes.HasPrefix(after, []byte("{{")) {
			literal, rest = append(literal, "{{"...), after[2:]
			continue
		}
		name, tail, closed := bytes.Cut(after, []byte("}}"))
		if !closed {
			return nil, fmt.Errorf("template at byte %d: %q has no closing }}; write {{{{ for a literal {{",
				len(text)-len(after)-2, short("{{"+string(after)))
		}
		s, err := v.segment(strings.TrimSpace(string(name)))
		if err != nil {
			return nil, fmt.Errorf("template at byte %d: {{%s}}: %w", len(text)-len(after)-2, short(string(name)), err)
		}
		s.literal, literal, rest = literal, nil, tail
		t.segments = append(t.segments, s)
	}
	if len(literal) > 0 {
		t.segments = append(t.segments, segment{literal: literal})
	}
	return t, nil
}

func (v Values) segment(name string) (segment, error) {
	s := segment{salt: salt(name)}
	switch name {
	case counterName:
		s.fill = fillCounter
	case randomName:
		s.fill = fillRandom
	case uuidName:
		s.fill = fillUUID
	default:
		l, ok := v.files[name]
		if !ok {
			return s, textError("there is no such value; known are " + v.known() + "; {{{{ is a literal {{")
		}
		s.fill, s.lines = fillLine, l
	}
	return s, nil
}

// Fixed reports whether every request renders the same bytes.
func (t *Template) Fixed() bool {
	for _, s := range t.segments {
		if s.fill != fillNothing {
			return false
		}
	}
	return true
}

// Append appends what request k renders, k from 0, and returns the extended
// slice. It is a pure function of seed and k and allocates only to grow dst. It
// may be called from several goroutines.
func (t *Template) Append(dst []byte, seed uint64, k int64) []byte {
	for i := range t.segments {
		s := &t.segments[i]
		dst = append(dst, s.literal...)
		switch s.fill {
		case fillCounter:
			dst = strconv.AppendInt(dst, k, 10)
		case fillRandom:
			dst = strconv.AppendUint(dst, draw(seed, s.salt, k)>>11, 10)
		case fillUUID:
			dst = appendUUID(dst, draw(seed, s.salt, k))
		case fillLine:
			dst = append(dst, s.lines.at(s.lines.pick(seed, s.salt, k))...)
		}
	}
	return dst
}

// pick returns the index of the line for request k.
func (l lines) pick(seed, salt uint64, k int64) uint64 {
	n := uint64(len(l.ends))
	if l.order == inOrder {
		return uint64(k) % n
	}
	index, _ := bits.Mul64(draw(seed, salt, k), n) // draw·n ÷ 2⁶⁴
	return index
}

// appendUUID spreads one draw over the 122 bits of RFC 9562, section 5.4, that
// are free.
func appendUUID(dst []byte, d uint64) []byte {
	high := mix(d)&^0xf000 | 0x4000         // version 4
	low := mix(^d)&^(3<<62) | uint64(2)<<62 // variant 10
	dst = appendHex(dst, high>>32, 8)
	dst = append(dst, '-')
	dst = appendHex(dst, high>>16, 4)
	dst = append(dst, '-')
	dst = appendHex(dst, high, 4)
	dst = append(dst, '-')
	dst = appendHex(dst, low>>48, 4)
	dst = append(dst, '-')
	return appendHex(dst, low, 12)
}

func appendHex(dst []byte, v uint64, digits int) []byte {
	for i := digits - 1; i >= 0; i-- {
		dst = append(dst, "0123456789abcdef"[v>>(4*i)&15])
	}
	return dst
}

// draw returns 64 bits that look random and depend on its arguments alone
// (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", 2014).
func draw(seed, salt uint64, k int64) uint64 {
	return mix(mix(seed^salt) + uint64(k)*0x9e3779b97f4a7c15)
}

func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// salt hashes a name (FNV-1a, 64 bits).
func salt(name string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 0x100000001b3
	}
	return h
}
