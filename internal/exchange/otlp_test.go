package exchange

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	google "github.com/google/pprof/profile"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/collector/pdata/pprofile/pprofileotlp"

	"github.com/unpark-go/unpark"
)

// edit changes a message.
func edit(t testing.TB, data []byte, do func(pprofile.Profiles)) []byte {
	t.Helper()
	r := pprofileotlp.NewExportRequest()
	if err := r.UnmarshalProto(data); err != nil {
		t.Fatal(err)
	}
	do(r.Profiles())
	out, err := r.MarshalProto()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func each(all pprofile.Profiles, do func(pprofile.ScopeProfiles, pprofile.Profile)) {
	for _, r := range all.ResourceProfiles().All() {
		for _, s := range r.ScopeProfiles().All() {
			for _, p := range s.Profiles().All() {
				do(s, p)
			}
		}
	}
}

// withoutPayload leaves the samples alone.
func withoutPayload(all pprofile.Profiles) {
	each(all, func(_ pprofile.ScopeProfiles, p pprofile.Profile) {
		p.SetOriginalPayloadFormat("")
		p.OriginalPayload().FromRaw(nil)
	})
}

func asJSON(t testing.TB, data []byte) []byte {
	t.Helper()
	r := pprofileotlp.NewExportRequest()
	if err := r.UnmarshalProto(data); err != nil {
		t.Fatal(err)
	}
	out, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// With its original payload a profile comes back byte for byte; of its samples alone, as the same canonical bytes.
func TestOTLPRoundTrip(t *testing.T) {
	set := Set{Service: "shop", Run: "r1", Profiles: captured()}
	message, err := OTLP(set, Protobuf)
	if err != nil {
		t.Fatal(err)
	}
	text, err := OTLP(set, JSON)
	if err != nil {
		t.Fatal(err)
	}
	bare := edit(t, message, withoutPayload)
	for _, c := range []struct {
		name string
		data []byte
		same func(testing.TB, []byte) []byte
	}{
		{"protobuf", message, func(_ testing.TB, b []byte) []byte { return b }},
		{"JSON", text, func(_ testing.TB, b []byte) []byte { return b }},
		{"protobuf without payload", bare, canonical},
		{"JSON without payload", asJSON(t, bare), canonical},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadOTLP(c.data, "x.otlp")
			if err != nil {
				t.Fatal(err)
			}
			if got.Service != "shop" || got.Run != "r1" || len(got.Profiles) != len(set.Profiles) {
				t.Fatalf("service %s, run %s, %d profiles", got.Service, got.Run, len(got.Profiles))
			}
			for i, p := range got.Profiles {
				want := set.Profiles[i]
				if p.Kind != want.Kind || p.PID != want.PID || p.Window != 1 {
					t.Errorf("profile %d: %s of %d, window %d", i, p.Kind, p.PID, p.Window)
				}
				if !bytes.Equal(c.same(t, p.Data), c.same(t, want.Data)) {
					t.Errorf("the %s profile is another", p.Kind)
				}
			}
		})
	}
}

// What pprof has beside samples comes back as well.
func TestOTLPWholePprof(t *testing.T) {
	m := &google.Mapping{ID: 1, Start: 0x1000, Limit: 0x9000, Offset: 0x10, File: "/bin/shop", BuildID: "abc", HasFunctions: true, HasLineNumbers: true}
	f := &google.Function{ID: 1, Name: "main.f", SystemName: "main.f·1", Filename: "f.go", StartLine: 3}
	g := &google.Function{ID: 2, Name: "main.g", SystemName: "main.g", Filename: "g.go"}
	l := &google.Location{ID: 1, Mapping: m, Address: 0x1234, IsFolded: true, Line: []google.Line{{Function: g, Line: 5}, {Function: f, Line: 4}}}
	bare := &google.Location{ID: 2, Mapping: m, Address: 0x2234}
	p := &google.Profile{
		SampleType: []*google.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, DefaultSampleType: "cpu",
		PeriodType: &google.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 10_000_000, TimeNanos: 5, DurationNanos: 7,
		Comments: []string{"one", "two"}, DropFrames: "drop.*", KeepFrames: "keep.*",
		Mapping: []*google.Mapping{m}, Function: []*google.Function{f, g}, Location: []*google.Location{l, bare},
		Sample: []*google.Sample{
			{Location: []*google.Location{l, bare}, Value: []int64{1, 10_000_000}, Label: map[string][]string{"route": {"/a"}}},
			{Location: []*google.Location{l}, Value: []int64{0, 0}, NumLabel: map[string][]int64{"bytes": {48, 0}}, NumUnit: map[string][]string{"bytes": {"bytes", "bytes"}}},
			{Value: []int64{2, -5}},
		},
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	message, err := OTLP(Set{Profiles: []Profile{{Name: "x", Data: b.Bytes()}}}, Protobuf)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadOTLP(edit(t, message, withoutPayload), "x.otlp")
	if err != nil {
		t.Fatal(err)
	}
	if want, is := canonical(t, b.Bytes()), canonical(t, got.Profiles[0].Data); !bytes.Equal(want, is) {
		a, _ := google.ParseData(want)
		b, _ := google.ParseData(is)
		t.Errorf("got\n%s\nwant\n%s", b, a)
	}
}

// A profiler outside of the process sends moments of samples, without values: they are counted, and made CPU time by the period.
func TestOTLPMoments(t *testing.T) {
	all := pprofile.NewProfiles()
	w := newOTLPWriter(all.Dictionary())
	p := all.ResourceProfiles().AppendEmpty().ScopeProfiles().AppendEmpty().Profiles().AppendEmpty()
	p.SampleType().SetTypeStrindex(w.string("samples"))
	p.SampleType().SetUnitStrindex(w.string("count"))
	p.PeriodType().SetTypeStrindex(w.string("cpu"))
	p.PeriodType().SetUnitStrindex(w.string("nanoseconds"))
	p.SetPeriod(50_000_000)
	p.SetDurationNano(5e9)
	p.Samples().AppendEmpty().TimestampsUnixNano().FromRaw([]uint64{1, 2, 3})
	data, err := pprofileotlp.NewExportRequestFromProfiles(all).MarshalProto()
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadOTLP(data, "x.otlp")
	if err != nil {
		t.Fatal(err)
	}
	is, err := google.ParseData(got.Profiles[0].Data)
	if err != nil || len(is.SampleType) != 2 || is.SampleType[1].Type != "cpu" || is.Sample[0].Value[0] != 3 || is.Sample[0].Value[1] != 150_000_000 {
		t.Errorf("%v, %v", is, err)
	}
}

func TestHostileOTLP(t *testing.T) {
	message, err := OTLP(Set{Profiles: captured()[:1]}, Protobuf)
	if err != nil {
		t.Fatal(err)
	}
	bare := func(do func(pprofile.Profiles)) []byte {
		return edit(t, message, func(all pprofile.Profiles) { withoutPayload(all); do(all) })
	}
	var chain []byte
	for range 2 * deepest { // lengths as long as they must be
		chain = append(appendLength([]byte{0x0a}, len(chain)), chain...)
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "there is no profile in it"},
		{"text", []byte("hello, this is text"), "read x.otlp as OTLP profiles"},
		{"cut", message[:len(message)/2], "read x.otlp as OTLP profiles"},
		{"large", make([]byte, maxMessage+1), "larger than 128 MB"},
		{"deep JSON", []byte(`{"resourceProfiles":` + strings.Repeat("[", 1_000_000)), "nests deeper"},
		{"deep", chain, "nests deeper"},
		{"stack", bare(func(all pprofile.Profiles) {
			each(all, func(_ pprofile.ScopeProfiles, p pprofile.Profile) { p.Samples().At(0).SetStackIndex(1 << 30) })
		}), "not in its tables"},
		{"negative stack", bare(func(all pprofile.Profiles) {
			each(all, func(_ pprofile.ScopeProfiles, p pprofile.Profile) { p.Samples().At(0).SetStackIndex(-1) })
		}), "not in its tables"},
		{"location", bare(func(all pprofile.Profiles) {
			all.Dictionary().StackTable().At(1).LocationIndices().FromRaw([]int32{1 << 30})
		}), "not in its tables"},
		{"function", bare(func(all pprofile.Profiles) {
			all.Dictionary().LocationTable().At(1).Lines().At(0).SetFunctionIndex(-7)
		}), "not in its tables"},
		{"string", bare(func(all pprofile.Profiles) { all.Dictionary().FunctionTable().At(1).SetNameStrindex(1 << 30) }), "not in its tables"},
		{"mapping", bare(func(all pprofile.Profiles) { all.Dictionary().LocationTable().At(1).SetMappingIndex(99) }), "not in its tables"},
		{"label", bare(func(all pprofile.Profiles) {
			each(all, func(_ pprofile.ScopeProfiles, p pprofile.Profile) {
				p.Samples().At(0).AttributeIndices().FromRaw([]int32{1 << 30})
			})
		}), "not in its tables"},
		{"one long stack in all samples", bare(func(all pprofile.Profiles) {
			all.Dictionary().StackTable().At(1).LocationIndices().FromRaw(make([]int32, 100_000))
			each(all, func(_ pprofile.ScopeProfiles, p pprofile.Profile) {
				for range 1000 {
					p.Samples().AppendEmpty().SetStackIndex(1)
				}
			})
		}), "more locations and labels than are read"},
		{"many profiles", bare(func(all pprofile.Profiles) {
			for range maxProfiles {
				all.ResourceProfiles().At(0).ScopeProfiles().At(0).Profiles().AppendEmpty()
			}
		}), "more than 8192 profiles"},
	} {
		if _, err := ReadOTLP(c.data, "x.otlp"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func appendLength(b []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}

// Any bytes are profiles or an error with the name; what comes of them is bounded.
func FuzzReadOTLP(f *testing.F) {
	for _, p := range captured() {
		message, err := OTLP(Set{Service: "shop", Profiles: []Profile{p}}, Protobuf)
		if err != nil {
			f.Fatal(err)
		}
		bare := edit(f, message, withoutPayload)
		if len(bare) < 64<<10 { // larger ones are slow to change
			f.Add(bare)
			f.Add(bare[:len(bare)/2])
		}
	}
	f.Add([]byte(`{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"sampleType":{},"samples":[{"stackIndex":1}]}]}]}],"dictionary":{"stackTable":[{},{}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadOTLP(data, "fuzz.otlp")
		if err != nil && !strings.Contains(err.Error(), "fuzz.otlp") {
			t.Errorf("no name in %v", err)
		}
		if err == nil && len(s.Profiles) == 0 {
			t.Error("nothing, and no error")
		}
	})
}

func TestPostOTLP(t *testing.T) {
	var got []pprofileotlp.ExportRequest
	answer := func(w http.ResponseWriter) {}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1development/profiles" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			http.NotFound(w, r)
			return
		}
		if r.Header.Get("X-Key") != "a b" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		zr, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		data, err := io.ReadAll(zr)
		q := pprofileotlp.NewExportRequest()
		if err == nil {
			err = q.UnmarshalProto(data)
		}
		if err != nil {
			t.Error(err)
		}
		got = append(got, q)
		answer(w)
	}))
	defer server.Close()
	set := Set{Service: "shop", Run: "r1", Profiles: captured()}
	if _, err := PostOTLP(t.Context(), server.URL, set); err == nil || !strings.Contains(err.Error(), "OTEL_EXPORTER_OTLP_HEADERS") {
		t.Errorf("without a key: %v", err)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=a%20b")
	n, err := PostOTLP(t.Context(), server.URL, set)
	if err != nil || n != len(set.Profiles) || len(got) != 1 {
		t.Fatalf("%d in %d requests: %v", n, len(got), err)
	}
	if _, err := PostOTLP(t.Context(), server.URL+"/other", set); err == nil || !strings.Contains(err.Error(), "service.profilesSupport") {
		t.Errorf("no such path: %v", err)
	}
	answer = func(w http.ResponseWriter) {
		r := pprofileotlp.NewExportResponse()
		r.PartialSuccess().SetRejectedProfiles(3)
		r.PartialSuccess().SetErrorMessage("too \x1b[31mlarge")
		data, _ := r.MarshalProto()
		w.Write(data)
	}
	if _, err := PostOTLP(t.Context(), server.URL, set); err == nil || !strings.Contains(err.Error(), "rejected 3 profiles") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("a part of them: %v", err)
	}
	if _, err := PostOTLP(t.Context(), "http://collector.example:4318", set); err == nil || !strings.Contains(err.Error(), "https alone") {
		t.Errorf("headers without TLS: %v", err)
	}
	if _, err := PostOTLP(t.Context(), "http://u:p@127.0.0.1", set); err == nil || strings.Contains(err.Error(), "u:p") {
		t.Errorf("credentials in the address: %v", err)
	}
}

func TestIsOTLP(t *testing.T) {
	for name, want := range map[string]bool{"x.otlp": true, "x.otlp.json": true, "cpu.pb.gz": false} {
		if IsOTLP(name, []byte{0x0a}) != want {
			t.Error(name)
		}
	}
	if !IsOTLP("x.json", []byte("\n{ \"resourceProfiles\": []}")) || IsOTLP("x.json", []byte(`{"a":1}`)) {
		t.Error("JSON")
	}
}

// All exported kinds have a name in the message that is read again.
func TestKinds(t *testing.T) {
	for _, k := range unpark.Kinds() {
		if known(k) != (k != unpark.KindTrace) {
			t.Error(fmt.Sprint(k))
		}
	}
}
