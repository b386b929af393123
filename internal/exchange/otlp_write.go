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
