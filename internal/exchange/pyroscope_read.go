package exchange

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"connectrpc.com/connect"
	profilev1 "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// Query asks for what a service did.
type Query struct {
	Service  string
	Labels   map[string]string // that its series must have, beside service_name
	From, To time.Time
}

// selector is that of Pyroscope, of which Prometheus has the grammar.
func (q Query) selector() string {
	parts := []string{"service_name=" + strconv.Quote(q.Service)}
	for _, name := range sorted(q.Labels) {
		parts = append(parts, name+"="+strconv.Quote(q.Labels[name]))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func sorted(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// asked are the profiles that Pyroscope has of a Go service, by name, with the values of each in the order of runtime/pprof. What it
// calls a profile type is one value.
func asked() []struct {
	kind   unpark.Kind
	names  []string
	values [][2]string // type, unit
	usual  string      // default sample type
} {
	return []struct {
		kind   unpark.Kind
		names  []string
		values [][2]string
		usual  string
	}{
		{unpark.KindCPU, []string{"process_cpu"}, [][2]string{{"samples", "count"}, {"cpu", "nanoseconds"}}, ""},
		{unpark.KindBlock, []string{"block"}, [][2]string{{"contentions", "count"}, {"delay", "nanoseconds"}}, ""},
		{unpark.KindMutex, []string{"mutex"}, [][2]string{{"contentions", "count"}, {"delay", "nanoseconds"}}, ""},
		{unpark.KindAllocs, []string{"memory"}, [][2]string{{"alloc_objects", "count"}, {"alloc_space", "bytes"}}, "alloc_space"},
		{unpark.KindHeap, []string{"memory"}, [][2]string{{"inuse_objects", "count"}, {"inuse_space", "bytes"}}, ""},
		{unpark.KindGoroutine, []string{"goroutine", "goroutines"}, [][2]string{{"goroutine", "count"}, {"goroutines", "count"}}, ""},
	}
}

// Import merges what Pyroscope has of a service in a range of time into one profile of each kind. What is lost by merging is told in
// notes: what single processes and moments did. Snapshots (heap, goroutines) are of the last interval in which there was one, because
// Pyroscope adds them up.
func (p *Pyroscope) Import(ctx context.Context, q Query) (Set, error) {
	if q.Service == "" || !q.From.Before(q.To) {
		return Set{}, fmt.Errorf("import from %s: name a service and a range whose begin is before its end", escape.Line(p.address))
	}
	types, err := p.query.ProfileTypes(ctx, connect.NewRequest(&querierv1.ProfileTypesRequest{Start: q.From.UnixMilli(), End: q.To.UnixMilli()}))
	if err != nil {
		return Set{}, p.explain("ask for profile types of", err)
	}
	ids := map[string]string{} // by name:type:unit
	for _, t := range types.Msg.GetProfileTypes() {
		parts := strings.Split(t.GetID(), ":")
		if len(parts) == 5 {
			ids[strings.Join(parts[:3], ":")] = t.GetID()
		}
	}
	out := Set{Service: q.Service, End: q.To}
	var missing []string
	for _, a := range asked() {
		in := importer{p: p, q: q, kind: a.kind, usual: a.usual}
		for _, v := range a.values {
			for _, name := range a.names {
				// Its SDK and Alloy call goroutines differently: one of them is enough.
				if id, ok := ids[name+":"+v[0]+":"+v[1]]; ok && (a.kind != unpark.KindGoroutine || in.types == nil) {
					in.types = append(in.types, importType{id, v[0], v[1]})
				}
			}
		}
		data, err := in.read(ctx)
		if err != nil {
			return Set{}, err
		}
		if data == nil {
			missing = append(missing, string(a.kind))
			continue
		}
		out.Profiles = append(out.Profiles, Profile{Kind: a.kind, Name: a.kind.File(), Data: data})
		out.Notes = append(out.Notes, in.notes...)
	}
	if len(out.Profiles) == 0 {
		return out, fmt.Errorf("import from %s: it has no profile of %s between %s and %s: correct the service's name or the range; a Go service needs the Pyroscope SDK, or Alloy that scrapes it",
			escape.Line(p.address), escape.Line(q.selector()), q.From.UTC().Format(time.RFC3339), q.To.UTC().Format(time.RFC3339))
	}
	out.Notes = append(out.Notes, p.about(ctx, q, missing)...)
	return out, nil
}

// about says what merged profiles do not tell.
func (p *Pyroscope) about(ctx context.Context, q Query, missing []string) []unpark.Notice {
	length := q.To.Sub(q.From).Round(time.Second)
	many := "an unknown number of processes"
	series, err := p.query.Series(ctx, connect.NewRequest(&querierv1.SeriesRequest{Matchers: []string{q.selector()}, Start: q.From.UnixMilli(), End: q.To.UnixMilli()}))
	if err == nil {
		if n := processes(series.Msg); n > 0 {
			many = unpark.Counted(int64(n), "series of labels") + " (a process each, as a rule)"
		}
	}
	out := []unpark.Notice{{
		Code: "merged",
		Message: fmt.Sprintf("Pyroscope merged %s over %v: rates are means of that; requests, single processes and moments are not in it, nor is a forecast made of it",
			many, length),
		Cure: "capture a window of one process: unpark capture, or unpark attach",
	}}
	if len(missing) > 0 {
		out = append(out, unpark.Notice{
			Code:    "not-in-pyroscope",
			Message: "Pyroscope has no " + strings.Join(missing, ", ") + " profile of it: of those nothing is said",
			Cure:    "turn them on in its SDK (ProfileTypes, SetBlockProfileRate, SetMutexProfileFraction) or in Alloy's pyroscope.scrape",
		})
	}
	return out
}

// processes counts the sets of labels without the names of profiles.
func processes(r *querierv1.SeriesResponse) int {
	seen := map[string]bool{}
	for _, s := range r.GetLabelsSet() {
		var parts []string
		for _, l := range s.GetLabels() {
			if !strings.HasPrefix(l.GetName(), "__") {
				parts = append(parts, l.GetName()+"="+strconv.Quote(l.GetValue()))
			}
		}
		slices.Sort(parts)
		seen[strings.Join(parts, ",")] = true
	}
	return len(seen)
}

// importer reads one kind.
type importer struct {
	p     *Pyroscope
	q     Query
	kind  unpark.Kind
	usual string
	types []importType
	notes []unpark.Notice
}

type importType struct{ id, name, unit string }

// read makes one pprof profile of the kind's values; nil where there is none.
func (m *importer) read(ctx context.Context) ([]byte, error) {
	if len(m.types) == 0 {
		return nil, nil
	}
	from, to := m.q.From, m.q.To
	if m.kind.Reading() == unpark.Snapshot {
		var err error
		if from, to, err = m.last(ctx); err != nil || to.IsZero() {
			return nil, err
		}
		m.note("snapshot", fmt.Sprintf("the %s profile is of the last interval of %v that has one, ending %s: where a process sent two in it, they are added up",
			m.kind, scrape, to.UTC().Format(time.RFC3339)), "none is needed for shares; for numbers, unpark capture")
	}
	b := newBuilder()
	for _, t := range m.types {
		name := t.name
		if m.kind == unpark.KindGoroutine {
			name = "goroutine"
		}
		b.p.SampleType = append(b.p.SampleType, b.valueType(name, t.unit))
	}
	for at, t := range m.types {
		// What is to replace it, older servers do not know.
		got, err := m.p.query.SelectMergeProfile( //nolint:staticcheck // deprecated, and stays in this version of the interface
			ctx, connect.NewRequest(&querierv1.SelectMergeProfileRequest{
				ProfileTypeID: t.id, LabelSelector: m.q.selector(), Start: from.UnixMilli(), End: to.UnixMilli(),
			}))
		if err != nil {
			return nil, m.p.explain("ask for the "+string(m.kind)+" profile of", err)
		}
		if err := b.join(got.Msg, 0, at); err != nil {
			return nil, fmt.Errorf("read the %s profile that %s sent: %w", m.kind, escape.Line(m.p.address), err)
		}
		m.period(b, got.Msg)
	}
	if len(b.p.Sample) == 0 {
		return nil, nil
	}
	if m.kind == unpark.KindCPU {
		if err := m.covered(ctx); err != nil {
			return nil, err
		}
	}
	b.p.DefaultSampleType = b.string(m.usual)
	b.p.TimeNanos = m.q.From.UnixNano()
	if m.kind.Reading() != unpark.Snapshot {
		b.p.DurationNanos = int64(m.q.To.Sub(m.q.From))
	}
	return b.p.MarshalVT()
}

func (m *importer) period(b *builder, p *profilev1.Profile) {
	t := newTables(p)
	if b.p.PeriodType == nil && p.PeriodType != nil {
		b.p.PeriodType, b.p.Period = b.valueType(t.text(p.PeriodType.GetType()), t.text(p.PeriodType.GetUnit())), p.Period
	}
}

func (m *importer) note(code, message, cure string) {
	m.notes = append(m.notes, unpark.Notice{Code: code, Message: message, Cure: cure})
}

// points are the sums of a value by intervals of scrape, by their ends.
func (m *importer) points(ctx context.Context) ([]time.Time, error) {
	got, err := m.p.query.SelectSeries(ctx, connect.NewRequest(&querierv1.SelectSeriesRequest{
		ProfileTypeID: m.types[len(m.types)-1].id, LabelSelector: m.q.selector(),
		Start: m.q.From.UnixMilli(), End: m.q.To.UnixMilli(), Step: scrape.Seconds(),
	}))
	if err != nil {
		return nil, m.p.explain("ask when there are profiles in", err)
	}
	var out []time.Time
	for _, s := range got.Msg.GetSeries() {
		for _, p := range s.GetPoints() {
			if p.GetValue() > 0 {
				out = append(out, time.UnixMilli(p.GetTimestamp()))
			}
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	return slices.CompactFunc(out, time.Time.Equal), nil
}

// last is the last interval in which there is a snapshot; zero where there is none.
func (m *importer) last(ctx context.Context) (from, to time.Time, err error) {
	at, err := m.points(ctx)
	if err != nil || len(at) == 0 {
		return from, to, err
	}
	to = at[len(at)-1]
	return to.Add(-scrape), to, nil
}

// covered tells where the range has parts without profiles: rates over the whole are then too low.
func (m *importer) covered(ctx context.Context) error {
	at, err := m.points(ctx)
	if err != nil {
		return err
	}
	of := m.q.To.Sub(m.q.From).Seconds() / scrape.Seconds()
	if part := float64(len(at)) / of; of > 2 && part < 1-gap {
		m.note("gaps", fmt.Sprintf("only in %.0f %% of the range there are CPU profiles: rates over all of it are too low by as much", 100*part),
			"choose a range in which the service ran all the time: --from and --to")
	}
	return nil
}
