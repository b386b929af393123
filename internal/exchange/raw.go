package exchange

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	profilev1 "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
)

var errIndex = errors.New("it names what is not in its tables")

// parse reads a pprof file.
func parse(data []byte) (*profilev1.Profile, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		zr, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = io.ReadAll(io.LimitReader(zr, maxMessage+1))
		}
		if err != nil {
			return nil, err
		}
	}
	if len(data) > maxMessage {
		return nil, fmt.Errorf("it is larger than %d MB", maxMessage>>20)
	}
	p := &profilev1.Profile{}
	if err := p.UnmarshalVT(data); err != nil {
		return nil, err
	}
	return p, nil
}

// tables are those of a pprof profile, by what its parts call each other.
type tables struct {
	p         *profilev1.Profile
	functions map[uint64]*profilev1.Function
	locations map[uint64]*profilev1.Location
	mappings  map[uint64]*profilev1.Mapping
	err       error
}

func newTables(p *profilev1.Profile) *tables {
	t := &tables{p: p, functions: map[uint64]*profilev1.Function{}, locations: map[uint64]*profilev1.Location{}, mappings: map[uint64]*profilev1.Mapping{}}
	for _, f := range p.Function {
		t.functions[f.GetId()] = f
	}
	for _, l := range p.Location {
		t.locations[l.GetId()] = l
	}
	for _, m := range p.Mapping {
		t.mappings[m.GetId()] = m
	}
	return t
}

// text is a string of the table; what is not in it sets err.
func (t *tables) text(i int64) string {
	if i < 0 || i >= int64(len(t.p.StringTable)) {
		if i != 0 {
			t.err = errIndex
		}
		return ""
	}
	return t.p.StringTable[i]
}

func (t *tables) function(id uint64) function {
	f := t.functions[id]
	if f == nil && id != 0 {
		t.err = errIndex
	}
	return function{t.text(f.GetName()), t.text(f.GetSystemName()), t.text(f.GetFilename()), f.GetStartLine()}
}

func (t *tables) mapping(id uint64) mapping {
	m := t.mappings[id]
	if m == nil {
		t.err = errIndex
	}
	return mapping{
		m.GetMemoryStart(), m.GetMemoryLimit(), m.GetFileOffset(), t.text(m.GetFilename()), t.text(m.GetBuildId()),
		m.GetHasFunctions(), m.GetHasFilenames(), m.GetHasLineNumbers(), m.GetHasInlineFrames(),
	}
}

func (t *tables) labels(s *profilev1.Sample) []label {
	var out []label
	for _, l := range s.GetLabel() {
		out = append(out, label{t.text(l.GetKey()), t.text(l.GetStr()), t.text(l.GetNumUnit()), l.GetNum()})
	}
	return out
}

// join adds the samples of one profile to a profile that is being built, its value number from becoming value number at.
func (b *builder) join(p *profilev1.Profile, from, at int) error {
	t := newTables(p)
	ids := map[uint64]uint64{} // of locations, there and here
	place := func(id uint64) uint64 {
		if got, ok := ids[id]; ok {
			return got
		}
		l := t.locations[id]
		if l == nil {
			t.err = errIndex
		}
		out := location{address: l.GetAddress(), folded: l.GetIsFolded()}
		if l.GetMappingId() != 0 {
			out.mapping = b.mapping(t.mapping(l.GetMappingId()))
		}
		for _, n := range l.GetLine() {
			var f uint64
			if n.GetFunctionId() != 0 {
				f = b.function(t.function(n.GetFunctionId()))
			}
			out.lines = append(out.lines, line{f, n.GetLine()})
		}
		ids[id] = b.location(out)
		return ids[id]
	}
	var stack []uint64
	for _, s := range p.Sample {
		if from >= len(s.GetValue()) {
			return errIndex
		}
		stack = stack[:0]
		for _, id := range s.GetLocationId() {
			stack = append(stack, place(id))
		}
		if err := b.sample(stack, t.labels(s), at, s.Value[from]); err != nil {
			return err
		}
	}
	return t.err
}
