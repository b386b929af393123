package exchange

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
)

// pprof makes a profile of those of one interval.
func (r *otlpReader) pprof(group []pprofile.Profile, usual string) ([]byte, error) {
	b := newBuilder()
	c := converter{r: r, b: b, locations: map[int32]uint64{}, mappings: map[int32]uint64{}}
	first := group[0]
	for _, p := range group {
		b.p.SampleType = append(b.p.SampleType, b.valueType(c.text(p.SampleType().TypeStrindex()), c.text(p.SampleType().UnitStrindex())))
	}
	period := b.valueType(c.text(first.PeriodType().TypeStrindex()), c.text(first.PeriodType().UnitStrindex()))
	if period.Type != 0 || period.Unit != 0 {
		b.p.PeriodType = period
	}
	b.p.Period, b.p.TimeNanos, b.p.DurationNanos = first.Period(), int64(first.Time()), int64(first.DurationNano()) //nolint:gosec // as pprof has them
	b.p.DefaultSampleType = b.string(usual)
	for _, i := range first.AttributeIndices().All() {
		switch l := c.attribute(i); l.key {
		case keyComment:
			b.p.Comment = append(b.p.Comment, b.string(l.text))
		case keyDrop:
			b.p.DropFrames = b.string(l.text)
		case keyKeep:
			b.p.KeepFrames = b.string(l.text)
		}
	}
	counted := c.counted(group)
	if counted {
		b.p.SampleType = append(b.p.SampleType, b.valueType("cpu", "nanoseconds"))
	}
	for at, p := range group {
		for _, s := range p.Samples().All() {
			n := int64(s.TimestampsUnixNano().Len()) // without values, each moment is one
			if s.Values().Len() > 0 {
				n = 0
				for _, v := range s.Values().All() {
					n += v
				}
			}
			if err := c.sample(s, at, n); err != nil {
				return nil, err
			}
			if counted {
				if err := c.sample(s, 1, n*b.p.Period); err != nil {
					return nil, err
				}
			}
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	if r.refs += b.refs; r.refs > maxRefs {
		return nil, errRefs
	}
	return b.p.MarshalVT()
}

// converter makes parts of a pprof profile of those of a dictionary.
type converter struct {
	r         *otlpReader
	b         *builder
	locations map[int32]uint64
	mappings  map[int32]uint64
	err       error
}

// counted reports a CPU profile that has numbers of samples alone, as profilers outside of the process send it.
func (c *converter) counted(group []pprofile.Profile) bool {
	p := group[0]
	return len(group) == 1 && p.Period() > 0 && c.text(p.SampleType().TypeStrindex()) == "samples" &&
		c.text(p.PeriodType().TypeStrindex()) == "cpu" && c.text(p.PeriodType().UnitStrindex()) == "nanoseconds"
}

func (c *converter) text(i int32) string {
	s, err := c.r.text(i)
	if err != nil {
		c.err = err
	}
	return s
}

// attribute is a row of the table, as a label.
func (c *converter) attribute(i int32) label {
	table := c.r.d.AttributeTable()
	if i < 0 || int(i) >= table.Len() {
		c.err = errIndex
		return label{}
	}
	row := table.At(int(i))
	out := label{key: c.text(row.KeyStrindex()), unit: c.text(row.UnitStrindex())}
	switch v := row.Value(); v.Type() {
	case pcommon.ValueTypeInt:
		out.number = v.Int()
	case pcommon.ValueTypeBool:
		if v.Bool() {
			out.number = 1
		}
	default:
		out.text = v.AsString()
	}
	return out
}

func (c *converter) sample(s pprofile.Sample, at int, value int64) error {
	var stack []uint64
	if i := s.StackIndex(); i < 0 || int(i) >= c.r.d.StackTable().Len() {
		return errIndex
	}
	ids := c.r.d.StackTable().At(int(s.StackIndex())).LocationIndices()
	if c.b.refs+ids.Len()+s.AttributeIndices().Len() > maxRefs {
		return errRefs
	}
	for _, id := range ids.All() {
		stack = append(stack, c.location(id))
	}
	var labels []label
	for _, i := range s.AttributeIndices().All() {
		labels = append(labels, c.attribute(i))
	}
	return c.b.sample(stack, labels, at, value)
}

func (c *converter) location(i int32) uint64 {
	if id, ok := c.locations[i]; ok {
		return id
	}
	if i < 0 || int(i) >= c.r.d.LocationTable().Len() {
		c.err = errIndex
		return 0
	}
	in := c.r.d.LocationTable().At(int(i))
	out := location{address: in.Address()}
	for _, a := range in.AttributeIndices().All() {
		out.folded = out.folded || c.attribute(a) == label{key: keyFolded, number: 1}
	}
	if in.MappingIndex() != 0 {
		out.mapping = c.mapping(in.MappingIndex())
	}
	for _, n := range in.Lines().All() {
		var f uint64
		if n.FunctionIndex() != 0 {
			f = c.function(n.FunctionIndex())
		}
		out.lines = append(out.lines, line{f, n.Line()})
	}
	c.locations[i] = c.b.location(out)
	return c.locations[i]
}

func (c *converter) function(i int32) uint64 {
	if i < 0 || int(i) >= c.r.d.FunctionTable().Len() {
		c.err = errIndex
		return 0
	}
	f := c.r.d.FunctionTable().At(int(i))
	return c.b.function(function{c.text(f.NameStrindex()), c.text(f.SystemNameStrindex()), c.text(f.FilenameStrindex()), f.StartLine()})
}

func (c *converter) mapping(i int32) uint64 {
	if id, ok := c.mappings[i]; ok {
		return id
	}
	if i < 0 || int(i) >= c.r.d.MappingTable().Len() {
		c.err = errIndex
		return 0
	}
	in := c.r.d.MappingTable().At(int(i))
	m := mapping{start: in.MemoryStart(), limit: in.MemoryLimit(), offset: in.FileOffset(), file: c.text(in.FilenameStrindex())}
	for _, a := range in.AttributeIndices().All() {
		switch l := c.attribute(a); l.key {
		case keyBuild:
			m.build = l.text
		case keyFunctions:
			m.functions = l.number == 1
		case keyFilenames:
			m.filenames = l.number == 1
		case keyLines:
			m.lines = l.number == 1
		case keyInline:
			m.inline = l.number == 1
		}
	}
	c.mappings[i] = c.b.mapping(m)
	return c.mappings[i]
}
