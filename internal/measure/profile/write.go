package profile

import (
	"fmt"
	"io"

	pprof "github.com/google/pprof/profile"
)

// Write writes the profile as a compressed protocol buffer that go tool pprof
// opens, in the units that the profile was read in. Inlined calls are again
// several lines of one location; addresses are not kept.
func (p *Profile) Write(w io.Writer) error {
	out := &pprof.Profile{
		Period:            p.period,
		DurationNanos:     int64(p.duration),
		DefaultSampleType: p.defaultType,
		PeriodType:        &pprof.ValueType{Type: p.periodType.name, Unit: p.periodType.unit},
	}
	if !p.start.IsZero() {
		out.TimeNanos = p.start.UnixNano()
	}
	for _, t := range p.types {
		out.SampleType = append(out.SampleType, &pprof.ValueType{Type: t.name, Unit: t.unit})
	}
	if p.drawn != "" {
		out.Comments = append(out.Comments, p.drawn)
	}
	if p.userOnly {
		out.Comments = append(out.Comments, userOnly)
	}
	e := encoder{p: p, out: out, functions: map[functionKey]*pprof.Function{}, locations: map[string]*pprof.Location{}}
	if p.binary != "" {
		e.mapping = &pprof.Mapping{
			ID: 1, File: p.binary, BuildID: p.build,
			HasFunctions: true, HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true,
		}
		out.Mapping = []*pprof.Mapping{e.mapping}
	}
	for i := range p.samples {
		e.sample(i)
	}
	if err := out.Write(w); err != nil {
		return fmt.Errorf("profile: write %s profile: %w", p.kind, err)
	}
	return nil
}

type encoder struct {
	p         *Profile
	out       *pprof.Profile
	mapping   *pprof.Mapping
	functions map[functionKey]*pprof.Function
	locations map[string]*pprof.Location
}

type functionKey struct {
	name, file string
	start      int64
}

func (e *encoder) sample(i int) {
	p := e.p
	n := len(p.types)
	labels := p.labels[p.samples[i].labels]
	s := &pprof.Sample{
		Value: p.values[i*n : (i+1)*n],
		Label: labels.text, NumLabel: labels.num, NumUnit: labels.units,
	}
	stack := p.stack(i)
	for len(stack) > 0 {
		n := 1
		for n < len(stack) && p.frames[stack[n-1]].Value().inlined {
			n++
		}
		s.Location = append(s.Location, e.location(stack[:n]))
		stack = stack[n:]
	}
	e.out.Sample = append(e.out.Sample, s)
}

func (e *encoder) location(frames []uint32) *pprof.Location {
	key := make([]byte, 0, 4*len(frames))
	for _, f := range frames {
		key = append(key, byte(f), byte(f>>8), byte(f>>16), byte(f>>24))
	}
	if loc, ok := e.locations[string(key)]; ok {
		return loc
	}
	// Viewers join locations by address, so each one gets an address of its own.
	id := uint64(len(e.out.Location) + 1)
	loc := &pprof.Location{ID: id, Address: id, Mapping: e.mapping}
	for _, f := range frames {
		v := e.p.frames[f].Value()
		loc.Line = append(loc.Line, pprof.Line{Function: e.function(v), Line: int64(v.site.Line)})
	}
	e.locations[string(key)] = loc
	e.out.Location = append(e.out.Location, loc)
	return loc
}

func (e *encoder) function(f frame) *pprof.Function {
	key := functionKey{f.site.Function, f.site.File, f.start}
	if fn, ok := e.functions[key]; ok {
		return fn
	}
	fn := &pprof.Function{
		ID: uint64(len(e.out.Function) + 1), Name: key.name, SystemName: key.name,
		Filename: key.file, StartLine: key.start,
	}
	e.functions[key] = fn
	e.out.Function = append(e.out.Function, fn)
	return fn
}
