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
