package profile

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
)

// Decode reads one profile of one process, inflating it when it is compressed.
// name says where the bytes came from, for errors: a body that is no profile, is cut
// off, exceeds the bounds (128 MB inflated, two million samples, 512 MB when parsed)
// or is of another kind.
//
// An allocs and a heap profile hold the same samples, so either is accepted as
// the other. A block and a mutex profile differ in their stacks only; the wrong
// one is refused when they tell.
func Decode(r io.Reader, kind unpark.Kind, name string) (*Profile, error) {
	return decode(r, kind, name, defaultLimits())
}

// Detect reads a profile and returns its kind from its sample types. The two
// pairs that share types are told apart by the default sample type (allocs, heap)
// and by the stacks (block, mutex). An error says that the bytes are no profile,
// or that the kind cannot be told.
func Detect(r io.Reader) (unpark.Kind, error) {
	l := defaultLimits()
	raw, err := parse(new(inflater), r, "", l)
	if err != nil {
		return "", err
	}
	kind, why := detect(raw)
	if kind == "" {
		return "", &fileError{Cause: why}
	}
	return kind, nil
}

func decode(r io.Reader, kind unpark.Kind, name string, l limits) (*Profile, error) {
	raw, err := parseKind(new(inflater), r, kind, name, l)
	if err != nil {
		return nil, err
	}
	p, err := convert(raw, kind, l)
	if err != nil {
		return nil, &fileError{Name: name, Cause: err.Error()}
	}
	return p, nil
}

// parseKind is [parse] of a profile that must be of a kind.
func parseKind(in *inflater, r io.Reader, kind unpark.Kind, name string, l limits) (*pprof.Profile, error) {
	raw, err := parse(in, r, name, l)
	if err != nil {
		return nil, err
	}
	if err := fits(raw, kind); err != nil {
		return nil, &fileError{Name: name, Cause: err.Error()}
	}
	return raw, nil
}

// parse inflates and parses within the limits.
func parse(in *inflater, r io.Reader, name string, l limits) (p *pprof.Profile, err error) {
	data, err := in.read(r, name, l)
	if err != nil {
		return nil, err
	}
	counted, err := scan(data, l)
	if err != nil {
		if !errors.Is(err, errWire) {
			return nil, &fileError{Name: name, Cause: err.Error()}
		}
		if is := sniff(data); is != "" {
			return nil, &fileError{Name: name, Cause: is}
		}
		return nil, &fileError{Name: name, Cause: fmt.Sprintf("is damaged or truncated after %d bytes: fetch it again", len(data))}
	}
	// The bytes may come from anywhere: a fault in the parser must cost one file, not the run.
	defer func() {
		if v := recover(); v != nil {
			p, err = nil, &fileError{Name: name, Cause: fmt.Sprintf("is damaged: the parser failed: %v", v)}
		}
	}()
	if p, err = unpack(data, counted); err != nil {
		return nil, &fileError{Name: name, Cause: "is no valid profile", Err: err}
	}
	if len(p.SampleType) == 0 {
		return nil, &fileError{Name: name, Cause: "is no profile: it names no sample type"}
	}
	return p, nil
}

// convert turns the parser's form into ours.
func convert(raw *pprof.Profile, kind unpark.Kind, l limits) (*Profile, error) {
	if err := shallow(raw, l); err != nil {
		return nil, err
	}
	p := said(raw, kind)
	b := newBuilder(p, len(raw.Location), len(raw.Sample))
	b.fill(raw)
	b.done()
	return p, nil
}

// shallow fails when stacks with their inlined calls are more than the limit.
func shallow(raw *pprof.Profile, l limits) error {
	total := 0
	for _, s := range raw.Sample {
		for _, loc := range s.Location {
			total += max(1, len(loc.Line))
		}
		if total > l.frames {
			return fmt.Errorf("holds more than %d frames, the limit", l.frames)
		}
	}
	return nil
}

// said is what a profile says of itself, without its samples.
func said(raw *pprof.Profile, kind unpark.Kind) *Profile {
	p := &Profile{kind: kind, period: raw.Period, duration: time.Duration(raw.DurationNanos), defaultType: raw.DefaultSampleType}
	if raw.TimeNanos != 0 {
		p.start = time.Unix(0, raw.TimeNanos)
	}
	p.types = typesOf(raw)
	if t := raw.PeriodType; t != nil {
		p.periodType = valueType{t.Type, t.Unit}
	}
	for _, c := range raw.Comments {
		if strings.HasPrefix(c, drawn) {
			p.drawn = c
		}
		p.userOnly = p.userOnly || c == userOnly
	}
	if len(raw.Mapping) > 0 {
		p.binary, p.build = raw.Mapping[0].File, raw.Mapping[0].BuildID
	}
	return p
}

func typesOf(raw *pprof.Profile) []valueType {
	var out []valueType
	for _, t := range raw.SampleType {
		out = append(out, valueType{t.Type, t.Unit})
	}
	return out
}

// fill adds the samples of a profile in the parser's form, whose value types are joined by name.
func (b *builder) fill(raw *pprof.Profile) {
	width := len(b.p.types)
	types := b.align(typesOf(raw))
	none := b.label(labelSet{})
	expanded := newTable[[]uint32](len(raw.Location))
	arena := make([]uint32, 0, len(raw.Location)+len(raw.Location)/2)
	var stack []uint32
	for _, s := range raw.Sample {
		stack = stack[:0]
		for _, loc := range s.Location {
			f := expanded.get(loc.ID)
			if f == nil {
				from := len(arena)
				arena = b.expand(loc, arena)
				_ = expanded.add(loc.ID, arena[from:len(arena):len(arena)]) // which fails for a number that is there
				f = expanded.get(loc.ID)
			}
			stack = append(stack, *f...)
		}
		labels := none
		if len(s.Label)+len(s.NumLabel) > 0 {
			labels = b.label(newLabelSet(s.Label, s.NumLabel, s.NumUnit))
		}
		at := b.sample(stack, labels) * width
		for i, v := range s.Value {
			if t := types[i]; t >= 0 {
				b.p.values[at+t] += v
			}
		}
	}
}

// expand appends the frames of a location, innermost inlined call first. Code
// without symbols is one frame named after its file, because its addresses
// differ between processes.
func (b *builder) expand(loc *pprof.Location, to []uint32) []uint32 {
	if len(loc.Line) == 0 {
		file := ""
		if loc.Mapping != nil {
			file = loc.Mapping.File
		}
		name := "[unknown]"
		if file != "" {
			name = "[" + path.Base(file) + "]"
		}
		return append(to, b.intern(frame{site: unpark.Site{Function: name, File: file}}))
	}
	for i, line := range loc.Line {
		f := frame{inlined: i < len(loc.Line)-1}
		if fn := line.Function; fn != nil {
			f.site = unpark.Site{Function: fn.Name, File: fn.Filename, Line: int(line.Line)}
			f.start = fn.StartLine
			if f.site.Function == "" {
				f.site.Function = fn.SystemName
			}
		}
		if f.site.Function == "" {
			f.site.Function = "[unknown]"
		}
		to = append(to, b.intern(f))
	}
	return to
}
