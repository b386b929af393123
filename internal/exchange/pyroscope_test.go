package exchange

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	google "github.com/google/pprof/profile"
	profilev1 "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"
	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/querier/v1/querierv1connect"
	typesv1 "github.com/grafana/pyroscope/api/gen/proto/go/types/v1"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// stored is a profile that was pushed, at a moment.
type stored struct {
	labels map[string]string
	raw    []byte
	at     time.Time
}

// pyroscope answers by Pyroscope's own handlers, with what was pushed, merged by Google's library.
type pyroscope struct {
	querierv1connect.UnimplementedQuerierServiceHandler
	pushv1connect.UnimplementedPusherServiceHandler
	all    []stored
	now    time.Time
	header http.Header // of the last request
	refuse error
}

func (p *pyroscope) serve(t *testing.T) string {
	t.Helper()
	m := http.NewServeMux()
	m.Handle(querierv1connect.NewQuerierServiceHandler(p))
	m.Handle(pushv1connect.NewPusherServiceHandler(p))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.header = r.Header
		m.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func (p *pyroscope) Push(_ context.Context, r *connect.Request[pushv1.PushRequest]) (*connect.Response[pushv1.PushResponse], error) {
	if p.refuse != nil {
		return nil, p.refuse
	}
	for _, s := range r.Msg.Series {
		labels := map[string]string{}
		for _, l := range s.Labels {
			labels[l.Name] = l.Value
		}
		for _, one := range s.Samples {
			p.all = append(p.all, stored{labels, one.RawProfile, p.now})
		}
	}
	return connect.NewResponse(&pushv1.PushResponse{}), nil
}

// id is how Pyroscope names a value of a profile.
func id(name string, p *google.Profile, at int) string {
	period := [2]string{}
	if p.PeriodType != nil {
		period = [2]string{p.PeriodType.Type, p.PeriodType.Unit}
	}
	return strings.Join([]string{name, p.SampleType[at].Type, p.SampleType[at].Unit, period[0], period[1]}, ":")
}

func (p *pyroscope) ProfileTypes(context.Context, *connect.Request[querierv1.ProfileTypesRequest]) (*connect.Response[querierv1.ProfileTypesResponse], error) {
	if p.refuse != nil {
		return nil, p.refuse
	}
	out := &querierv1.ProfileTypesResponse{}
	for _, s := range p.all {
		parsed, err := google.ParseData(s.raw)
		if err != nil {
			return nil, err
		}
		for i := range parsed.SampleType {
			out.ProfileTypes = append(out.ProfileTypes, &typesv1.ProfileType{ID: id(s.labels["__name__"], parsed, i)})
		}
	}
	return connect.NewResponse(out), nil
}

var matcher = regexp.MustCompile(`([a-zA-Z_]\w*)="([^"]*)"`)

// selected are the profiles of a query, with the number of the value.
func (p *pyroscope) selected(typeID, selector string, start, end int64) (out []*google.Profile, moments []time.Time, err error) {
	for _, s := range p.all {
		parsed, err := google.ParseData(s.raw)
		if err != nil {
			return nil, nil, err
		}
		is := !s.at.Before(time.UnixMilli(start)) && !s.at.After(time.UnixMilli(end))
		for _, m := range matcher.FindAllStringSubmatch(selector, -1) {
			is = is && s.labels[m[1]] == m[2]
		}
		for i := range parsed.SampleType {
			if is && id(s.labels["__name__"], parsed, i) == typeID {
				one := parsed.Copy()
				one.SampleType = one.SampleType[i : i+1]
				one.DefaultSampleType = ""
				for _, sample := range one.Sample {
					sample.Value = sample.Value[i : i+1]
				}
				out, moments = append(out, one), append(moments, s.at)
			}
		}
	}
	return out, moments, nil
}

func (p *pyroscope) SelectMergeProfile(_ context.Context, r *connect.Request[querierv1.SelectMergeProfileRequest]) (*connect.Response[profilev1.Profile], error) {
	found, _, err := p.selected(r.Msg.ProfileTypeID, r.Msg.LabelSelector, r.Msg.Start, r.Msg.End)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return connect.NewResponse(&profilev1.Profile{}), nil
	}
	merged, err := google.Merge(found)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := merged.WriteUncompressed(&b); err != nil {
		return nil, err
	}
	out := &profilev1.Profile{}
	return connect.NewResponse(out), out.UnmarshalVT(b.Bytes())
}

func (p *pyroscope) SelectSeries(_ context.Context, r *connect.Request[querierv1.SelectSeriesRequest]) (*connect.Response[querierv1.SelectSeriesResponse], error) {
	found, moments, err := p.selected(r.Msg.ProfileTypeID, r.Msg.LabelSelector, r.Msg.Start, r.Msg.End)
	if err != nil {
		return nil, err
	}
	s := &typesv1.Series{}
	for i, one := range found {
		sum := 0.0
		for _, sample := range one.Sample {
			sum += float64(sample.Value[0])
		}
		s.Points = append(s.Points, &typesv1.Point{Timestamp: moments[i].UnixMilli(), Value: sum})
	}
	return connect.NewResponse(&querierv1.SelectSeriesResponse{Series: []*typesv1.Series{s}}), nil
}

func (p *pyroscope) Series(context.Context, *connect.Request[querierv1.SeriesRequest]) (*connect.Response[querierv1.SeriesResponse], error) {
	out := &querierv1.SeriesResponse{}
	for _, s := range p.all {
		set := &typesv1.Labels{}
		for name, value := range s.labels {
			if name != "unpark_kind" {
				set.Labels = append(set.Labels, &typesv1.LabelPair{Name: name, Value: value})
			}
		}
		out.LabelsSet = append(out.LabelsSet, set)
	}
	return connect.NewResponse(out), nil
}

func withoutCredentials(t *testing.T) {
	t.Helper()
	for _, name := range []string{"TOKEN", "USER", "PASSWORD", "TENANT"} {
		t.Setenv("UNPARK_PYROSCOPE_"+name, "")
		t.Setenv("UNPARK_PYROSCOPE_"+name+"_FILE", "")
	}
}

// What was pushed is there byte for byte, and comes back with the same stacks and values.
func TestPyroscope(t *testing.T) {
	withoutCredentials(t)
	peer := &pyroscope{now: time.Now().Add(-10 * time.Second).Truncate(time.Millisecond)}
	p, err := NewPyroscope(peer.serve(t))
	if err != nil {
		t.Fatal(err)
	}
	set := Set{Service: "shop", Run: "r1", Profiles: captured()}
	n, err := p.Push(t.Context(), set)
	if err != nil || n != len(set.Profiles) {
		t.Fatalf("%d pushed: %v", n, err)
	}
	for i, s := range peer.all {
		if !bytes.Equal(s.raw, set.Profiles[i].Data) {
			t.Errorf("the %s profile arrived as another", set.Profiles[i].Kind)
		}
		if s.labels["service_name"] != "shop" || s.labels["unpark_run"] != "r1" || s.labels["pid"] != "7" || s.labels["__delta__"] != "false" {
			t.Errorf("labels %v", s.labels)
		}
	}
	// A heap and an allocs profile have the same values: a service that is profiled all the time sends one.
	peer.all = slices.DeleteFunc(peer.all, func(s stored) bool { return s.labels["unpark_kind"] == "heap" })
	// An older snapshot, which must not be added.
	for _, s := range slices.Clone(peer.all) {
		if s.labels["unpark_kind"] == "goroutine" {
			s.at = s.at.Add(-time.Minute)
			peer.all = append(peer.all, s)
		}
	}
	to := time.Now()
	got, err := p.Import(t.Context(), Query{Service: "shop", From: to.Add(-2 * time.Minute), To: to, Labels: map[string]string{"unpark_run": "r1"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Profiles) != 6 {
		t.Errorf("%d kinds", len(got.Profiles))
	}
	for _, is := range got.Profiles {
		var want Profile
		for _, w := range set.Profiles {
			if w.Kind == is.Kind || w.Kind == unpark.KindAllocs && is.Kind == unpark.KindHeap {
				want = w
			}
		}
		if is.Kind == unpark.KindHeap {
			want = set.Profiles[3]
		}
		a, err := profile.Decode(bytes.NewReader(want.Data), is.Kind, "a")
		if err != nil {
			t.Fatal(err)
		}
		b, err := profile.Decode(bytes.NewReader(is.Data), is.Kind, "b")
		if err != nil {
			t.Fatal(err)
		}
		if a.Total() != b.Total() || a.Total() == 0 || len(b.Samples()) == 0 {
			t.Errorf("%s: %v in %d stacks, want %v in %d", is.Kind, b.Total(), len(b.Samples()), a.Total(), len(a.Samples()))
		}
		if length := b.Duration(); is.Kind.Reading() != unpark.Snapshot && length != 2*time.Minute {
			t.Errorf("%s lasts %v", is.Kind, length)
		}
	}
	codes := map[string]string{}
	for _, n := range got.Notes {
		codes[n.Code] += n.Message
	}
	if !strings.Contains(codes["merged"], "1 series") || !strings.Contains(codes["gaps"], "12 %") || !strings.Contains(codes["snapshot"], "goroutine") {
		t.Errorf("notes %v", codes)
	}
	if _, err := p.Import(t.Context(), Query{Service: `no"one`, From: to.Add(-time.Minute), To: to}); err == nil || !strings.Contains(err.Error(), "correct the service's name or the range") {
		t.Errorf("an unknown service: %v", err)
	}
}

// The same bytes come back where one process pushed once: stacks, values, labels, addresses; the interval is the range that was asked for.
func TestPyroscopeCanonical(t *testing.T) {
	withoutCredentials(t)
	peer := &pyroscope{now: time.Now().Truncate(time.Millisecond)}
	p, err := NewPyroscope(peer.serve(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range captured()[:3] { // cpu, block, mutex: all of their values are asked for
		if _, err := p.Push(t.Context(), Set{Service: "shop", Profiles: []Profile{one}}); err != nil {
			t.Fatal(err)
		}
		got, err := p.Import(t.Context(), Query{Service: "shop", From: peer.now.Add(-time.Minute), To: peer.now.Add(time.Minute)})
		if err != nil {
			t.Fatal(err)
		}
		plain := func(data []byte) []byte {
			parsed, err := google.ParseData(data)
			if err != nil {
				t.Fatal(err)
			}
			parsed.TimeNanos, parsed.DurationNanos, parsed.DefaultSampleType = 0, 0, ""
			var b bytes.Buffer
			if err := parsed.Write(&b); err != nil {
				t.Fatal(err)
			}
			return canonical(t, b.Bytes())
		}
		if !bytes.Equal(plain(got.Profiles[0].Data), plain(one.Data)) {
			t.Errorf("the %s profile is another", one.Kind)
		}
		peer.all = nil
	}
}

func TestPyroscopeRefuses(t *testing.T) {
	withoutCredentials(t)
	peer := &pyroscope{}
	address := peer.serve(t)
	q := Query{Service: "shop", From: time.Now().Add(-time.Minute), To: time.Now()}
	for _, c := range []struct {
		err  error
		want string
	}{
		{connect.NewError(connect.CodeUnauthenticated, errors.New("no \x1b[31morg id")), "UNPARK_PYROSCOPE_TENANT"},
		{connect.NewError(connect.CodeResourceExhausted, errors.New("too much")), "ask for a shorter range"},
		{errors.New("broken"), "check the address"},
	} {
		peer.refuse = c.err
		p, err := NewPyroscope(address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Import(t.Context(), q); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("import: %v, want %s", err, c.want)
		}
		if _, err := p.Push(t.Context(), Set{Profiles: captured()[:1]}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("push: %v, want %s", err, c.want)
		}
	}
}

func TestPyroscopeCredentials(t *testing.T) {
	withoutCredentials(t)
	peer := &pyroscope{}
	address := peer.serve(t)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("of-the-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, value, also, want string }{
		{"TOKEN", "abc", "", "Bearer abc"},
		{"TOKEN_FILE", file, "", "Bearer of-the-file"},
		{"USER", "me", "you", "Basic bWU6eW91"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("UNPARK_PYROSCOPE_"+c.name, c.value)
			t.Setenv("UNPARK_PYROSCOPE_PASSWORD", c.also)
			t.Setenv("UNPARK_PYROSCOPE_TENANT", "team")
			p, err := NewPyroscope(address)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Push(t.Context(), Set{Profiles: captured()[:1]}); err != nil {
				t.Fatal(err)
			}
			if got := peer.header.Get("Authorization"); got != c.want || peer.header.Get("X-Scope-Orgid") != "team" {
				t.Errorf("sent %q", got)
			}
			if _, err := NewPyroscope("http://pyroscope.example"); err == nil || !strings.Contains(err.Error(), "https alone") || strings.Contains(err.Error(), c.value) {
				t.Errorf("without TLS: %v", err)
			}
		})
	}
	t.Setenv("UNPARK_PYROSCOPE_TOKEN_FILE", filepath.Join(t.TempDir(), "none"))
	if _, err := NewPyroscope(address); err == nil || !strings.Contains(err.Error(), "UNPARK_PYROSCOPE_TOKEN_FILE") {
		t.Errorf("no such file: %v", err)
	}
	for _, bad := range []string{"pyroscope:4040", "ftp://x", "http://u:secret@127.0.0.1"} {
		if _, err := NewPyroscope(bad); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
