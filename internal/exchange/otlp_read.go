package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/collector/pdata/pprofile/pprofileotlp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/unpark-go/unpark"
)

// IsOTLP reports whether a file is one, by its name (.otlp, .otlp.json, .otlp.pb) or as JSON by its first word.
func IsOTLP(name string, data []byte) bool {
	head := bytes.TrimLeft(data[:min(len(data), 4096)], " \t\r\n")
	return strings.Contains(path.Base(name), ".otlp") || bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"resourceProfiles"`))
}

// ReadOTLP reads an ExportProfilesServiceRequest, or a ProfilesData, which is the same on the wire, in protobuf or JSON. Where a profile
// carries its pprof file, that is what is returned; else one is made of its samples. The error says what the bytes are not.
func ReadOTLP(data []byte, name string) (s Set, err error) {
	fail := func(err error) (Set, error) { return Set{}, fmt.Errorf("read %s as OTLP profiles: %w", name, err) }
	if len(data) > maxMessage {
		return fail(fmt.Errorf("it is larger than %d MB", maxMessage>>20))
	}
	// The decoder belongs to another module, and its signal is in development: a fault in it must cost one file.
	defer func() {
		if v := recover(); v != nil {
			s, err = fail(fmt.Errorf("it is damaged: the decoder failed: %v", v))
		}
	}()
	request := pprofileotlp.NewExportRequest()
	asJSON := bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{"))
	switch {
	case asJSON && deepJSON(data), !asJSON && deepProto(data, 0):
		err = fmt.Errorf("it nests deeper than %d levels", deepest)
	case asJSON:
		err = request.UnmarshalJSON(data)
	default:
		err = request.UnmarshalProto(data)
	}
	if err != nil {
		return fail(err)
	}
	r := otlpReader{d: request.Profiles().Dictionary(), name: name}
	if request.Profiles().ProfileCount() > maxProfiles {
		return fail(fmt.Errorf("it has more than %d profiles", maxProfiles))
	}
	for _, resource := range request.Profiles().ResourceProfiles().All() {
		if err := r.resource(resource); err != nil {
			return fail(err)
		}
	}
	if len(r.out.Profiles) == 0 {
		return fail(errors.New("there is no profile in it"))
	}
	return r.out, nil
}

// deepJSON reports whether brackets nest deeper than is read.
func deepJSON(data []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > deepest {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// deepProto reports whether what could be messages nest deeper than is read. Bytes that are none end early.
func deepProto(data []byte, depth int) bool {
	if depth > deepest {
		return true
	}
	for len(data) > 0 {
		_, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return false
		}
		data = data[n:]
		if kind == protowire.BytesType {
			inner, n := protowire.ConsumeBytes(data)
			if n < 0 {
				return false
			}
			if deepProto(inner, depth+1) {
				return true
			}
			data = data[n:]
			continue
		}
		if n = protowire.ConsumeFieldValue(1, kind, data); n < 0 {
			return false
		}
		data = data[n:]
	}
	return false
}

type otlpReader struct {
	d    pprofile.ProfilesDictionary
	name string
	out  Set
	refs int
}

func word(m pcommon.Map, key string) string {
	if v, ok := m.Get(key); ok && v.Type() == pcommon.ValueTypeStr {
		return v.Str()
	}
	return ""
}

func number(m pcommon.Map, key string) int {
	if v, ok := m.Get(key); ok && v.Type() == pcommon.ValueTypeInt && v.Int() == int64(int32(v.Int())) { //nolint:gosec // that is asked
		return int(v.Int())
	}
	return 0
}

func (r *otlpReader) resource(in pprofile.ResourceProfiles) error {
	a := in.Resource().Attributes()
	if r.out.Service == "" {
		r.out.Service = word(a, keyService)
	}
	if r.out.Run == "" {
		r.out.Run = word(a, keyRun)
	}
	for _, scope := range in.ScopeProfiles().All() {
		if err := r.scope(scope, number(a, keyPID)); err != nil {
			return err
		}
	}
	return nil
}

// scope reads the profiles of one scope. Those of one interval are the values of one pprof profile.
func (r *otlpReader) scope(in pprofile.ScopeProfiles, pid int) error {
	a := in.Scope().Attributes()
	kind := unpark.Kind(word(a, keyKind))
	add := func(data []byte) {
		name := fmt.Sprintf("%s-%02d.pb.gz", strings.TrimSuffix(path.Base(r.name), ".otlp"), len(r.out.Profiles)+1)
		if kind != "" {
			name = fmt.Sprintf("%02d-%s", len(r.out.Profiles)+1, kind.File())
		}
		r.out.Profiles = append(r.out.Profiles, Profile{Kind: kind, Name: name, PID: pid, Window: number(a, keyWindow), Data: data})
	}
	if !known(kind) {
		kind = ""
	}
	_, whole := a.Get(keyOrder) // the scope is one pprof profile
	var groups [][]pprofile.Profile
	var heads []string
	for _, p := range in.Profiles().All() {
		if p.OriginalPayloadFormat() == payloadPprof && p.OriginalPayload().Len() > 0 {
			add(p.OriginalPayload().AsRaw())
			if whole {
				return nil
			}
			continue
		}
		head := fmt.Sprint(p.Time(), p.DurationNano(), p.Period(), p.PeriodType().TypeStrindex(), p.PeriodType().UnitStrindex())
		at := len(groups)
		for i := range heads {
			if heads[i] == head {
				at = i
			}
		}
		if at == len(groups) {
			groups, heads = append(groups, nil), append(heads, head)
		}
		groups[at] = append(groups[at], p)
	}
	for _, g := range groups {
		data, err := r.pprof(g, word(a, keyDefault))
		if err != nil {
			return err
		}
		add(data)
	}
	return nil
}

func known(k unpark.Kind) bool {
	for _, is := range unpark.Kinds() {
		if k == is && k != unpark.KindTrace {
			return true
		}
	}
	return false
}

func (r *otlpReader) text(i int32) (string, error) {
	if i < 0 || int(i) >= r.d.StringTable().Len() {
		if i == 0 {
			return "", nil
		}
		return "", errIndex
	}
	return r.d.StringTable().At(int(i)), nil
}

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
