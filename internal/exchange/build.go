package exchange

import (
	"errors"

	profilev1 "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
)

// builder makes a pprof profile of parts that are told by their contents: samples of one stack with the same labels become one, in the
// order in which they first come, with a value for each sample type.
type builder struct {
	p         *profilev1.Profile
	text      map[string]int64
	functions map[function]uint64
	locations map[string]uint64
	mappings  map[mapping]uint64
	samples   map[string]int
	refs      int
}

type function struct {
	name, system, file string
	start              int64
}

type mapping struct {
	start, limit, offset                uint64
	file, build                         string
	functions, filenames, lines, inline bool
}

type line struct {
	function uint64
	line     int64
}

type location struct {
	mapping, address uint64
	lines            []line
	folded           bool
}

// label is a pprof label: text, or a number where text is "".
type label struct {
	key, text, unit string
	number          int64
}

var errRefs = errors.New("its samples name more locations and labels than are read")

func newBuilder() *builder {
	b := &builder{
		p: &profilev1.Profile{}, text: map[string]int64{}, functions: map[function]uint64{}, locations: map[string]uint64{},
		mappings: map[mapping]uint64{}, samples: map[string]int{},
	}
	b.string("")
	return b
}

func (b *builder) string(s string) int64 {
	i, ok := b.text[s]
	if !ok {
		i = int64(len(b.p.StringTable))
		b.text[s] = i
		b.p.StringTable = append(b.p.StringTable, s)
	}
	return i
}

func (b *builder) valueType(name, unit string) *profilev1.ValueType {
	return &profilev1.ValueType{Type: b.string(name), Unit: b.string(unit)}
}

func (b *builder) function(f function) uint64 {
	id, ok := b.functions[f]
	if !ok {
		id = uint64(len(b.p.Function) + 1)
		b.functions[f] = id
		b.p.Function = append(b.p.Function, &profilev1.Function{
			Id: id, Name: b.string(f.name), SystemName: b.string(f.system), Filename: b.string(f.file), StartLine: f.start,
		})
	}
	return id
}

func (b *builder) mapping(m mapping) uint64 {
	id, ok := b.mappings[m]
	if !ok {
		id = uint64(len(b.p.Mapping) + 1)
		b.mappings[m] = id
		b.p.Mapping = append(b.p.Mapping, &profilev1.Mapping{
			Id: id, MemoryStart: m.start, MemoryLimit: m.limit, FileOffset: m.offset, Filename: b.string(m.file), BuildId: b.string(m.build),
			HasFunctions: m.functions, HasFilenames: m.filenames, HasLineNumbers: m.lines, HasInlineFrames: m.inline,
		})
	}
	return id
}

func (b *builder) location(l location) uint64 {
	var k key
	k.add(l.mapping, l.address, uint64(len(l.lines)))
	for _, n := range l.lines {
		k.add(n.function, uint64(n.line))
	}
	if l.folded {
		k.add(1)
	}
	id, ok := b.locations[string(k)]
	if !ok {
		id = uint64(len(b.p.Location) + 1)
		b.locations[string(k)] = id
		out := &profilev1.Location{Id: id, MappingId: l.mapping, Address: l.address, IsFolded: l.folded}
		for _, n := range l.lines {
			out.Line = append(out.Line, &profilev1.Line{FunctionId: n.function, Line: n.line})
		}
		b.p.Location = append(b.p.Location, out)
	}
	return id
}

// sample adds a value to the sample of a stack, leaf first, with labels.
func (b *builder) sample(stack []uint64, labels []label, at int, value int64) error {
	if b.refs += len(stack) + len(labels) + 1; b.refs > maxRefs {
		return errRefs
	}
	var k key
	k.add(uint64(len(stack)))
	k.add(stack...)
	for _, l := range labels {
		k.add(uint64(b.string(l.key)), uint64(b.string(l.text)), uint64(l.number), uint64(b.string(l.unit)))
	}
	i, ok := b.samples[string(k)]
	if !ok {
		i = len(b.p.Sample)
		b.samples[string(k)] = i
		s := &profilev1.Sample{LocationId: append([]uint64{}, stack...), Value: make([]int64, len(b.p.SampleType))}
		for _, l := range labels {
			s.Label = append(s.Label, &profilev1.Label{Key: b.string(l.key), Str: b.string(l.text), Num: l.number, NumUnit: b.string(l.unit)})
		}
		b.p.Sample = append(b.p.Sample, s)
	}
	b.p.Sample[i].Value[at] += value
	return nil
}

// key is made of numbers.
type key []byte

func (k *key) add(numbers ...uint64) {
	for _, n := range numbers {
		*k = append(*k, byte(n), byte(n>>8), byte(n>>16), byte(n>>24), byte(n>>32), byte(n>>40), byte(n>>48), byte(n>>56))
	}
}
