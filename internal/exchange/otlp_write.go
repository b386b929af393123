package exchange

import (
	"errors"
	"fmt"

	profilev1 "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/collector/pdata/pprofile/pprofileotlp"
)

// The names of attributes, of OpenTelemetry's registry (semantic conventions, pprof) where they are not our own.
const (
	keyOrder     = "pprof.scope.sample_type_order"
	keyDefault   = "pprof.scope.default_sample_type"
	keyComment   = "pprof.profile.comment"
	keyDrop      = "pprof.profile.drop_frames"
	keyKeep      = "pprof.profile.keep_frames"
	keyFolded    = "pprof.location.is_folded"
	keyFunctions = "pprof.mapping.has_functions"
	keyFilenames = "pprof.mapping.has_filenames"
	keyLines     = "pprof.mapping.has_line_numbers"
	keyInline    = "pprof.mapping.has_inline_frames"
	keyBuild     = "process.executable.build_id.gnu"
	keyService   = "service.name"
	keyPID       = "process.pid"
	keyRun       = "unpark.run.id"
	keyWindow    = "unpark.window"
	keyKind      = "unpark.profile.kind"

	payloadPprof = "pprof"
)

// Form is how a message is written.
type Form int

// The forms.
const (
	Protobuf Form = iota
	JSON
)

// OTLP makes an ExportProfilesServiceRequest of profiles: a resource for each process, a scope for each pprof profile, in it a profile for
// each of its values. The first has the pprof file itself as original payload, byte for byte; all have its samples.
func OTLP(s Set, form Form) ([]byte, error) {
	all := pprofile.NewProfiles()
	w := newOTLPWriter(all.Dictionary())
	resources := map[int]pprofile.ResourceProfiles{}
	for _, p := range s.Profiles {
		r, ok := resources[p.PID]
		if !ok {
			r = all.ResourceProfiles().AppendEmpty()
			resources[p.PID] = r
			a := r.Resource().Attributes()
			a.PutStr(keyService, s.Service)
			if s.Run != "" {
				a.PutStr(keyRun, s.Run)
			}
			if p.PID != 0 {
				a.PutInt(keyPID, int64(p.PID))
			}
		}
		if err := w.scope(r.ScopeProfiles().AppendEmpty(), p); err != nil {
			return nil, fmt.Errorf("write %s as OTLP: %w", p.Name, err)
		}
	}
	request := pprofileotlp.NewExportRequestFromProfiles(all)
	if form == JSON {
		return request.MarshalJSON()
	}
	return request.MarshalProto()
}

// otlpWriter fills the dictionary of a message. The first row of each table is the zero value, which stands for none.
type otlpWriter struct {
	d          pprofile.ProfilesDictionary
	text       map[string]int32
	functions  map[function]int32
	mappings   map[mapping]int32
	locations  map[string]int32
	stacks     map[string]int32
	attributes map[attribute]int32
}

type attribute struct {
	key, text, unit string
	number          int64
	kind            pcommon.ValueType
}

func newOTLPWriter(d pprofile.ProfilesDictionary) *otlpWriter {
	w := &otlpWriter{
		d: d, text: map[string]int32{}, functions: map[function]int32{}, mappings: map[mapping]int32{},
		locations: map[string]int32{}, stacks: map[string]int32{}, attributes: map[attribute]int32{},
	}
	w.string("")
	d.FunctionTable().AppendEmpty()
	d.MappingTable().AppendEmpty()
	d.LocationTable().AppendEmpty()
	d.StackTable().AppendEmpty()
	d.LinkTable().AppendEmpty()
	d.AttributeTable().AppendEmpty()
	return w
}

func (w *otlpWriter) string(s string) int32 {
	i, ok := w.text[s]
	if !ok {
		i = int32(w.d.StringTable().Len()) //nolint:gosec // bounded by maxMessage
		w.text[s] = i
		w.d.StringTable().Append(s)
	}
	return i
}

func (w *otlpWriter) attribute(a attribute) int32 {
	i, ok := w.attributes[a]
	if !ok {
		i = int32(w.d.AttributeTable().Len()) //nolint:gosec // bounded by maxMessage
		w.attributes[a] = i
		row := w.d.AttributeTable().AppendEmpty()
		row.SetKeyStrindex(w.string(a.key))
		row.SetUnitStrindex(w.string(a.unit))
		switch a.kind {
		case pcommon.ValueTypeBool:
			row.Value().SetBool(a.number != 0)
		case pcommon.ValueTypeInt:
			row.Value().SetInt(a.number)
		default:
			row.Value().SetStr(a.text)
		}
	}
	return i
}

func (w *otlpWriter) flag(to pcommon.Int32Slice, key string, is bool) {
	if is {
		to.Append(w.attribute(attribute{key: key, number: 1, kind: pcommon.ValueTypeBool}))
	}
}

func (w *otlpWriter) words(to pcommon.Int32Slice, key, text string) {
	if text != "" {
		to.Append(w.attribute(attribute{key: key, text: text, kind: pcommon.ValueTypeStr}))
	}
}

// scope writes one pprof profile.
func (w *otlpWriter) scope(to pprofile.ScopeProfiles, p Profile) error {
	raw, err := parse(p.Data)
	if err != nil {
		return err
	}
	t := newTables(raw)
	to.Scope().SetName("unpark")
	a := to.Scope().Attributes()
	if p.Kind != "" {
		a.PutStr(keyKind, string(p.Kind))
	}
	if p.Window != 0 {
		a.PutInt(keyWindow, int64(p.Window))
	}
	order := a.PutEmptySlice(keyOrder)
	if raw.DefaultSampleType != 0 {
		a.PutStr(keyDefault, t.text(raw.DefaultSampleType))
	}
	type row struct {
		stack  int32
		labels []int32
	}
	rows := make([]row, len(raw.Sample))
	for i, s := range raw.Sample {
		rows[i] = row{w.stack(t, s.LocationId), w.labels(t.labels(s))}
	}
	for v, kind := range raw.SampleType {
		order.AppendEmpty().SetStr(t.text(kind.GetType()))
		out := to.Profiles().AppendEmpty()
		w.head(out, t, kind)
		for i, s := range raw.Sample {
			if v >= len(s.Value) {
				return errIndex
			}
			sample := out.Samples().AppendEmpty()
			sample.SetStackIndex(rows[i].stack)
			sample.AttributeIndices().FromRaw(rows[i].labels)
			sample.Values().Append(s.Value[v])
		}
		if v == 0 {
			out.SetOriginalPayloadFormat(payloadPprof)
			out.OriginalPayload().FromRaw(p.Data)
		}
	}
	if len(raw.SampleType) == 0 {
		return errors.New("it names no sample type")
	}
	return t.err
}

// head writes what a profile says of all its samples.
func (w *otlpWriter) head(out pprofile.Profile, t *tables, kind *profilev1.ValueType) {
	raw := t.p
	out.SampleType().SetTypeStrindex(w.string(t.text(kind.GetType())))
	out.SampleType().SetUnitStrindex(w.string(t.text(kind.GetUnit())))
	out.PeriodType().SetTypeStrindex(w.string(t.text(raw.PeriodType.GetType())))
	out.PeriodType().SetUnitStrindex(w.string(t.text(raw.PeriodType.GetUnit())))
	out.SetPeriod(raw.Period)
	out.SetTime(pcommon.Timestamp(max(0, raw.TimeNanos))) //nolint:gosec // not negative
	out.SetDurationNano(uint64(max(0, raw.DurationNanos)))
	for _, c := range raw.Comment {
		w.words(out.AttributeIndices(), keyComment, t.text(c))
	}
	w.words(out.AttributeIndices(), keyDrop, t.text(raw.DropFrames))
	w.words(out.AttributeIndices(), keyKeep, t.text(raw.KeepFrames))
}

func (w *otlpWriter) labels(all []label) []int32 {
	out := make([]int32, len(all))
	for i, l := range all {
		a := attribute{key: l.key, text: l.text, unit: l.unit, number: l.number, kind: pcommon.ValueTypeStr}
		if l.text == "" {
			a.kind = pcommon.ValueTypeInt
		}
		out[i] = w.attribute(a)
	}
	return out
}

func (w *otlpWriter) stack(t *tables, ids []uint64) int32 {
	places := make([]int32, len(ids))
	var k key
	for i, id := range ids {
		places[i] = w.location(t, id)
		k.add(uint64(places[i])) //nolint:gosec // not negative
	}
	if len(ids) == 0 {
		return 0
	}
	at, ok := w.stacks[string(k)]
	if !ok {
		at = int32(w.d.StackTable().Len()) //nolint:gosec // bounded by maxMessage
		w.stacks[string(k)] = at
		w.d.StackTable().AppendEmpty().LocationIndices().FromRaw(places)
	}
	return at
}

func (w *otlpWriter) location(t *tables, id uint64) int32 {
	l := t.locations[id]
	if l == nil {
		t.err = errIndex
		return 0
	}
	var m int32
	if l.MappingId != 0 {
		m = w.mapping(t.mapping(l.MappingId))
	}
	var k key
	k.add(uint64(m), l.Address) //nolint:gosec // not negative
	if l.IsFolded {
		k.add(1)
	}
	functions := make([]int32, len(l.Line))
	for i, n := range l.Line {
		if n.GetFunctionId() != 0 {
			functions[i] = w.function(t.function(n.GetFunctionId()))
		}
		k.add(uint64(functions[i]), uint64(n.GetLine())) //nolint:gosec // a key
	}
	at, ok := w.locations[string(k)]
	if ok {
		return at
	}
	at = int32(w.d.LocationTable().Len()) //nolint:gosec // bounded by maxMessage
	w.locations[string(k)] = at
	out := w.d.LocationTable().AppendEmpty()
	out.SetMappingIndex(m)
	out.SetAddress(l.Address)
	w.flag(out.AttributeIndices(), keyFolded, l.IsFolded)
	for i, n := range l.Line {
		to := out.Lines().AppendEmpty()
		to.SetFunctionIndex(functions[i])
		to.SetLine(n.GetLine())
	}
	return at
}

func (w *otlpWriter) function(f function) int32 {
	at, ok := w.functions[f]
	if !ok {
		at = int32(w.d.FunctionTable().Len()) //nolint:gosec // bounded by maxMessage
		w.functions[f] = at
		out := w.d.FunctionTable().AppendEmpty()
		out.SetNameStrindex(w.string(f.name))
		out.SetSystemNameStrindex(w.string(f.system))
		out.SetFilenameStrindex(w.string(f.file))
		out.SetStartLine(f.start)
	}
	return at
}

func (w *otlpWriter) mapping(m mapping) int32 {
	at, ok := w.mappings[m]
	if !ok {
		at = int32(w.d.MappingTable().Len()) //nolint:gosec // bounded by maxMessage
		w.mappings[m] = at
		out := w.d.MappingTable().AppendEmpty()
		out.SetMemoryStart(m.start)
		out.SetMemoryLimit(m.limit)
		out.SetFileOffset(m.offset)
		out.SetFilenameStrindex(w.string(m.file))
		w.words(out.AttributeIndices(), keyBuild, m.build)
		w.flag(out.AttributeIndices(), keyFunctions, m.functions)
		w.flag(out.AttributeIndices(), keyFilenames, m.filenames)
		w.flag(out.AttributeIndices(), keyLines, m.lines)
		w.flag(out.AttributeIndices(), keyInline, m.inline)
	}
	return at
}
