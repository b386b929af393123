package profile

import (
	"encoding/binary"
	"errors"
)

// field is one of a message; its body, if it has one, as bytes and as a part of the file's text.
type field struct {
	number, kind int
	value        uint64
	body         []byte
	text         string
}

// The kinds of fields (protobuf.dev, "Encoding").
const (
	varint    = 0
	delimited = 2
)

var errType = errors.New("a field is of another type")

// each calls f for the fields of a message; text has the same bytes.
func each(data []byte, text string, f func(field) error) error {
	for at := 0; at < len(data); {
		tag, n := binary.Uvarint(data[at:])
		if n <= 0 || tag>>3 == 0 {
			return errWire
		}
		at += n
		one := field{number: int(tag >> 3), kind: int(tag & 7)}
		size := 0
		switch one.kind {
		case varint:
			if one.value, size = binary.Uvarint(data[at:]); size <= 0 {
				return errWire
			}
		case delimited:
			length, n := binary.Uvarint(data[at:])
			if n <= 0 || length > uint64(len(data)-at-n) {
				return errWire
			}
			at, size = at+n, int(length)
			one.body, one.text = data[at:at+size], text[at:at+size]
		case 1:
			size = 8
		case 5:
			size = 4
		default:
			return errWire
		}
		if at += size; at > len(data) {
			return errWire
		}
		if err := f(one); err != nil {
			return err
		}
	}
	return nil
}

// message calls g for the fields of a field that is a message.
func (f field) message(g func(field) error) error {
	if f.kind != delimited {
		return errType
	}
	return each(f.body, f.text, g)
}

// list calls g for the numbers of a field that repeats: one, or a packed list.
func (f field) list(g func(uint64) error) error {
	if f.kind == varint {
		return g(f.value)
	}
	if f.kind != delimited {
		return errType
	}
	for b := f.body; len(b) > 0; {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return errWire
		}
		if err := g(v); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

func (f field) integer(to *int64) error {
	if f.kind != varint {
		return errType
	}
	*to = int64(f.value)
	return nil
}
