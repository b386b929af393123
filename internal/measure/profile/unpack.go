package profile

import (
	"errors"
	"fmt"
	"strings"

	pprof "github.com/google/pprof/profile"
)

// unpack makes of an inflated profile what pprof.ParseUncompressed and CheckValid make and allow, in a fraction of the time: the
// entries have been counted (scan), so that all of a kind are one allocation, and what a profile names by a number is found by it in a
// slice. The profiles of many processes are most of what a verdict on them takes. A test holds it against that parser.
func unpack(data []byte, c counts) (*pprof.Profile, error) {
	if len(data) == 0 {
		return nil, errors.New("it is empty")
	}
	u := unpacker{
		p: &pprof.Profile{PeriodType: &pprof.ValueType{}}, text: string(data), strings: make([]string, 0, c.strings),
		functions: newTable[pprof.Function](c.functions), mappings: newTable[pprof.Mapping](c.mappings), locations: newTable[pprof.Location](c.places),
		lines: make([]pprof.Line, 0, c.lines), samples: make([]pprof.Sample, 0, c.samples),
		frames: make([]*pprof.Location, 0, c.locations), values: make([]int64, 0, c.values),
	}
	// What is named comes before what names it, whatever the order in the file.
	for _, pass := range []func(field) error{u.words, u.names, u.places, u.stacks} {
		if err := each(data, u.text, pass); err != nil {
			return nil, err
		}
	}
	p := u.p
	p.Function, p.Mapping, p.Location = u.functions.list(), u.mappings.list(), u.locations.list()
	for i := range u.samples {
		s := &u.samples[i]
		if len(s.Value) != len(p.SampleType) {
			return nil, fmt.Errorf("a sample has %d values of %d types", len(s.Value), len(p.SampleType))
		}
		p.Sample = append(p.Sample, s)
	}
	return p, nil
}

type unpacker struct {
	p         *pprof.Profile
	text      string // all of the file: strings that go on beyond it are cloned
	strings   []string
	functions table[pprof.Function]
	mappings  table[pprof.Mapping]
	locations table[pprof.Location]
	lines     []pprof.Line
	samples   []pprof.Sample
	frames    []*pprof.Location
	values    []int64
}

// str is the string of a number; [unpacker.forever] is one that may be kept when the text is not.
func (u *unpacker) str(i uint64) (string, error) {
	if i >= uint64(len(u.strings)) {
		return "", fmt.Errorf("string %d of %d", i, len(u.strings))
	}
	return u.strings[i], nil
}

func (u *unpacker) forever(i uint64) (string, error) {
	s, err := u.str(i)
	return strings.Clone(s), err
}

// words reads the strings.
func (u *unpacker) words(f field) error {
	if f.number != fieldString {
		return nil
	}
	if f.kind != delimited {
		return errType
	}
	if u.strings = append(u.strings, f.text); u.strings[0] != "" {
		return errors.New("the first string is not empty")
	}
	return nil
}

// names reads what only names strings, and the numbers.
func (u *unpacker) names(f field) error {
	p := u.p
	switch f.number {
	case fieldSampleType:
		t := &pprof.ValueType{}
		p.SampleType = append(p.SampleType, t)
		return u.valueType(f, t)
	case fieldPeriodType:
		return u.valueType(f, p.PeriodType)
	case fieldMapping:
		return u.mapping(f)
	case fieldFunction:
		return u.function(f)
	case fieldTime:
		if p.TimeNanos != 0 {
			return errors.New("several profiles are one behind the other")
		}
		return f.integer(&p.TimeNanos)
	case fieldDuration:
		return f.integer(&p.DurationNanos)
	case fieldPeriod:
		return f.integer(&p.Period)
	case fieldComment:
		return f.list(func(v uint64) error {
			s, err := u.forever(v)
			p.Comments = append(p.Comments, s)
			return err
		})
	case fieldDefault:
		return u.word(f, &p.DefaultSampleType)
	case fieldDropFrames:
		return u.word(f, &p.DropFrames)
	case fieldKeepFrames:
		return u.word(f, &p.KeepFrames)
	case fieldDocument:
		return u.word(f, &p.DocURL)
	}
	return nil
}

// word reads the number of a string.
func (u *unpacker) word(f field, to *string) (err error) {
	if f.kind != varint {
		return errType
	}
	*to, err = u.forever(f.value)
	return err
}

func (u *unpacker) valueType(f field, t *pprof.ValueType) error {
	return f.message(func(f field) error {
		switch f.number {
		case 1:
			return u.word(f, &t.Type)
		case 2:
			return u.word(f, &t.Unit)
		}
		return nil
	})
}

func (u *unpacker) function(f field) error {
	var fn pprof.Function
	err := f.message(func(f field) (err error) {
		if f.number <= 5 && f.kind != varint {
			return errType
		}
		switch f.number {
		case 1:
			fn.ID = f.value
		case 2:
			fn.Name, err = u.str(f.value)
		case 3:
			fn.SystemName, err = u.str(f.value)
		case 4:
			fn.Filename, err = u.str(f.value)
		case 5:
			fn.StartLine = int64(f.value)
		}
		return err
	})
	if err != nil {
		return err
	}
	return u.functions.add(fn.ID, fn)
}

// places reads the locations.
func (u *unpacker) places(f field) error {
	if f.number != fieldLocation {
		return nil
	}
	var l pprof.Location
	from := len(u.lines)
	err := f.message(func(f field) error {
		if f.number == fieldLocationLine {
			return u.line(f)
		}
		if f.number <= 5 && f.kind != varint {
			return errType
		}
		switch f.number {
		case 1:
			l.ID = f.value
		case 2:
			l.Mapping = u.mappings.get(f.value)
		case 3:
			l.Address = f.value
		case 5:
			l.IsFolded = f.value != 0
		}
		return nil
	})
	if err != nil {
		return err
	}
	if n := len(u.lines); n > from {
		l.Line = u.lines[from:n:n]
	}
	return u.locations.add(l.ID, l)
}

func (u *unpacker) line(f field) error {
	var l pprof.Line
	err := f.message(func(f field) error {
		if f.number <= 3 && f.kind != varint {
			return errType
		}
		switch f.number {
		case 1:
			l.Function = u.functions.get(f.value)
		case 2:
			l.Line = int64(f.value)
		case 3:
			l.Column = int64(f.value)
		}
		return nil
	})
	if err == nil && l.Function == nil {
		err = errors.New("a line has no function")
	}
	u.lines = append(u.lines, l)
	return err
}

// stacks reads the samples.
func (u *unpacker) stacks(f field) error {
	if f.number != fieldSample {
		return nil
	}
	var s pprof.Sample
	frames, values := len(u.frames), len(u.values)
	var labels []labelled
	err := f.message(func(f field) error {
		switch f.number {
		case fieldSampleLocation:
			return f.list(func(id uint64) error {
				l := u.locations.get(id)
				if l == nil {
					return fmt.Errorf("a sample is at location %d, which is not there", id)
				}
				u.frames = append(u.frames, l)
				return nil
			})
		case fieldSampleValue:
			return f.list(func(v uint64) error {
				u.values = append(u.values, int64(v))
				return nil
			})
		case fieldSampleLabel:
			var l labelled
			labels = append(labels, l)
			return labels[len(labels)-1].read(f)
		}
		return nil
	})
	if err == nil && len(labels) > 0 {
		err = u.label(&s, labels)
	}
	s.Location, s.Value = u.frames[frames:len(u.frames):len(u.frames)], u.values[values:len(u.values):len(u.values)]
	u.samples = append(u.samples, s)
	return err
}
