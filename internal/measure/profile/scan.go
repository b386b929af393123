package profile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// limits bounds what one profile may make this process allocate. A protobuf
// message of two bytes becomes a structure of hundreds, and a byte of a packed list
// becomes sixteen, so the inflated size alone bounds nothing: the entries are
// counted, and what they will take is added up, before they are parsed.
type limits struct {
	bytes   int64 // before and after inflation
	samples int   // samples
	labels  int   // labels of all samples
	tables  int   // locations, lines, functions, mappings and strings together
	frames  int   // frames of all samples after inlined calls are expanded
	memory  int64 // bytes that the parsed form takes
}

// defaultLimits admits twenty times the samples of a Go process of 100 000 distinct
// stacks, or as many stacks of that process as deep as the runtime cuts them
// (runtime/runtime1.go: profstackdepth is 128). One frame takes sixteen bytes when
// parsed and forty as a sample's site.
func defaultLimits() limits {
	return limits{bytes: 128 << 20, samples: 2 << 20, labels: 8 << 20, tables: 8 << 20, frames: 16 << 20, memory: 512 << 20}
}

// The fields of perftools.profiles.Profile
// (github.com/google/pprof/proto/profile.proto).
const (
	fieldSampleType = 1
	fieldSample     = 2
	fieldMapping    = 3
	fieldLocation   = 4
	fieldFunction   = 5
	fieldString     = 6
	fieldDropFrames = 7
	fieldKeepFrames = 8
	fieldTime       = 9
	fieldDuration   = 10
	fieldPeriodType = 11
	fieldPeriod     = 12
	fieldComment    = 13
	fieldDefault    = 14
	fieldDocument   = 15

	fieldSampleLocation = 1
	fieldSampleValue    = 2
	fieldSampleLabel    = 3
	fieldLocationLine   = 4
)

var errWire = errors.New("not a protocol buffer")

// What the parser (github.com/google/pprof/profile/encode.go) makes of an entry, in
// bytes on 64 bits; a test holds them against its types. Lists of pointers grow by a
// quarter at a time, and checking a profile puts every entry into a map by its number.
const (
	listed      = 48
	perSample   = 120 + listed
	perMapping  = 104 + listed
	perLocation = 64 + listed
	perFunction = 88 + listed
	perType     = 48 + listed
	perLine     = 32
	perNumber   = 8               // a number of a packed list
	perStack    = perNumber + 8   // a location's number and the pointer in its place
	perString   = 16              // the header
	perLabel    = 32 + 24 + 8 + 8 // the parser's own form, the list of one value, and the value
	perLabelled = 1 << 10         // three maps, of which one or two hold a group of eight (internal/runtime/maps)
)

// counts is what an inflated profile holds.
type counts struct {
	samples, labels, tables, locations          int
	functions, mappings, places, lines, strings int   // of tables
	values                                      int   // of all samples
	memory                                      int64 // of the parsed form
}

// scan counts the entries of an inflated profile and fails when a limit is
// passed. It returns errWire for bytes that are no protocol buffer message.
func scan(data []byte, l limits) (c counts, err error) {
	if err := walk(data, c.entry); err != nil {
		return c, err
	}
	return c, c.within(l)
}

// within says which limit is passed.
func (c *counts) within(l limits) error {
	switch {
	case c.samples > l.samples:
		return fmt.Errorf("holds %d samples, more than the limit of %d", c.samples, l.samples)
	case c.labels > l.labels:
		return fmt.Errorf("holds %d labels, more than the limit of %d", c.labels, l.labels)
	case c.tables > l.tables:
		return fmt.Errorf("holds %d table entries, more than the limit of %d", c.tables, l.tables)
	case c.locations > l.frames: // each of them is one frame at least
		return fmt.Errorf("holds stacks of %d frames, more than the limit of %d", c.locations, l.frames)
	case c.memory > l.memory:
		return fmt.Errorf("would take %d bytes of memory, more than the limit of %d", c.memory, l.memory)
	}
	return nil
}

// entry counts one field of a profile.
func (c *counts) entry(field int, body []byte) error {
	switch field {
	case fieldSample:
		c.samples++
		c.memory += perSample
		return c.sample(body)
	case fieldLocation:
		c.tables++
		c.places++
		c.memory += perLocation
		return walk(body, func(field int, _ []byte) error {
			if field == fieldLocationLine {
				c.tables++
				c.lines++
				c.memory += perLine
			}
			return nil
		})
	case fieldComment:
		n := numbers(body)
		c.tables += n
		c.memory += int64(n) * (perNumber + perString)
	case fieldString:
		c.tables++
		c.strings++
		c.memory += perString + int64(len(body))
	case fieldSampleType:
		c.tables++
		c.memory += perType
	case fieldMapping:
		c.tables++
		c.mappings++
		c.memory += perMapping
	case fieldFunction:
		c.tables++
		c.functions++
		c.memory += perFunction
	}
	return nil
}

// sample counts what one sample holds.
func (c *counts) sample(body []byte) error {
	labelled := int64(0)
	err := walk(body, func(field int, body []byte) error {
		switch field {
		case fieldSampleLabel:
			c.labels++
			c.memory += perLabel
			labelled = perLabelled
		case fieldSampleLocation:
			n := numbers(body)
			c.locations += n
			c.memory += int64(n) * perStack
		case fieldSampleValue:
			n := numbers(body)
			c.values += n
			c.memory += int64(n) * perNumber
		}
		return nil
	})
	c.memory += labelled
	return err
}

// numbers counts what a field adds to a list of numbers: one, or, for a packed list,
// the bytes that end one.
func numbers(body []byte) int {
	if body == nil {
		return 1
	}
	n := 0
	for _, b := range body {
		if b < 0x80 {
			n++
		}
	}
	return n
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
