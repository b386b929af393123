package profile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// limits bounds what one profile may make this process allocate. A protobuf
// message of two bytes becomes a structure of hundreds, so the inflated size
// alone bounds nothing: the entries are counted before they are parsed.
type limits struct {
	bytes   int64 // before and after inflation
	samples int   // samples
	labels  int   // labels of all samples
	tables  int   // locations, lines, functions, mappings and strings together
	frames  int   // frames of all samples after inlined calls are expanded
}

// defaultLimits admits profiles two orders of magnitude larger than the largest
// that a Go process of 100 000 distinct stacks writes.
func defaultLimits() limits {
	return limits{bytes: 512 << 20, samples: 2 << 20, labels: 8 << 20, tables: 8 << 20, frames: 64 << 20}
}

// The fields of perftools.profiles.Profile that repeat
// (github.com/google/pprof/proto/profile.proto).
const (
	fieldSampleType = 1
	fieldSample     = 2
	fieldMapping    = 3
	fieldLocation   = 4
	fieldFunction   = 5
	fieldString     = 6
	fieldComment    = 13

	fieldSampleLocation = 1
	fieldSampleLabel    = 3
	fieldLocationLine   = 4
)

var errWire = errors.New("not a protocol buffer")

// scan counts the entries of an inflated profile and fails when a limit is
// passed. It returns errWire for bytes that are no protocol buffer message.
func scan(data []byte, l limits) error {
	var samples, labels, tables, locations int
	err := walk(data, func(field int, body []byte) error {
		switch field {
		case fieldSample:
			samples++
			return walk(body, func(field int, body []byte) error {
				switch field {
				case fieldSampleLabel:
					labels++
				case fieldSampleLocation:
					locations += 1 + len(body)
				}
				return nil
			})
		case fieldLocation:
			tables++
			return walk(body, func(field int, _ []byte) error {
				if field == fieldLocationLine {
					tables++
				}
				return nil
			})
		case fieldComment:
			tables += 1 + len(body)
		case fieldSampleType, fieldMapping, fieldFunction, fieldString:
			tables++
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case samples > l.samples:
		return fmt.Errorf("holds %d samples, more than the limit of %d", samples, l.samples)
	case labels > l.labels:
		return fmt.Errorf("holds %d labels, more than the limit of %d", labels, l.labels)
	case tables > l.tables:
		return fmt.Errorf("holds %d table entries, more than the limit of %d", tables, l.tables)
	// Packed location numbers take one byte or more each, so this is an upper bound.
	case locations > 4*l.frames:
		return fmt.Errorf("holds stacks of %d bytes, more than the limit of %d", locations, 4*l.frames)
	}
	return nil
}

// walk calls f for each field of one message; body is nil for numbers.
func walk(b []byte, f func(field int, body []byte) error) error {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<29 {
			return errWire
		}
		b = b[n:]
		var body []byte
		switch tag & 7 {
		case 0:
			_, n = binary.Uvarint(b)
			if n <= 0 {
				return errWire
			}
			b = b[n:]
		case 1:
			if len(b) < 8 {
				return errWire
			}
			b = b[8:]
		case 2:
			size, n := binary.Uvarint(b)
			if n <= 0 || size > uint64(len(b)-n) {
				return errWire
			}
			body, b = b[n:n+int(size)], b[n+int(size):]
		case 5:
			if len(b) < 4 {
				return errWire
			}
			b = b[4:]
		default:
			return errWire
		}
		if err := f(int(tag>>3), body); err != nil {
			return err
		}
	}
	return nil
}
