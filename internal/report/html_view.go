package report

import (
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/report/look"
	"github.com/unpark-go/unpark/internal/units"
)

// view is what the template sees. Texts are plain: the template escapes them.
type view struct {
	Policy string
	Style  template.CSS
	Script template.JS

	Title       string
	When        string
	Links       []look.Link
	Void        []unpark.Notice
	Partial     string
	Trigger     string
	Kind        string
	Why         string
	Bounds      []string
	Figures     []item
	Findings    []card
	Folded      []card // real and worth nothing
	FoldedTitle string
	Nothing     string     // said when there are no findings
	Costs       *costsView // nil without any
	Contents    []contentsView
	Unsaid      []unpark.Notice
	Tail        *tailView // nil without a trace
	Ran         []rowView
	Process     tableView
	Workers     string
	Levels      tableView
	Warnings    []unpark.Notice
	Profiles    []profileView
	Unpark      string

	Latency  tableView
	Timeline bool
	Graphs   []graph
	Data     data
}

// data is what the scripts read, besides the graphs.
type data struct {
	Requests float64  `json:"requests"` // of the window; 0: not known
	Kind     string   `json:"kind"`     // the graph to show first
	Response *density `json:"response"`
	Service  *density `json:"service"`
	Ticks    []tick   `json:"ticks"`

	// Of a comparison: whether the graphs have two arms, what their values were
	// divided by, and the requests per second of each arm, when known.
	Diff    bool         `json:"diff,omitempty"`
	Per     string       `json:"per,omitempty"`
	RPS     []float64    `json:"rps,omitempty"`
	Metrics []metricView `json:"metrics,omitempty"`
}

// density is a latency histogram for drawing; times in seconds.
type density struct {
	Le    []float64  `json:"le"`
	Count []int64    `json:"count"`
	Marks []markView `json:"marks"`
	Min   float64    `json:"min"`
}

type markView struct {
	Label string  `json:"label"`
	At    float64 `json:"at"`
}

type tick struct {
	At        float64       `json:"at"`
	RPS       float64       `json:"rps"`
	P99       float64       `json:"p99"`
	Errors    int64         `json:"errors"`
	Cores     unpark.Number `json:"cores"`
	Generator unpark.Number `json:"generator"`
	Phase     string        `json:"phase"`
}

type rowView struct{ Label, Text string }

type tableView struct {
	Header []string
	Rows   [][]string
	Total  []string
}

type profileView struct{ Kind, PID, File, State, Note string }

func newView(r unpark.Run) (view, error) {
	style, script, policy, err := inline(scriptNames())
	if err != nil {
		return view{}, err
	}
	all, err := graphs(r.Flames)
	if err != nil {
		return view{}, err
	}
	v := view{
		Policy: policy, Style: style, Script: script, Graphs: all,
		Title: runTitle(r), Void: notices(r.Void), Partial: escape.Prose(r.Partial), Trigger: escape.Prose(triggered(r.Trigger)),
		Bounds: unbrokenAll(bounds(r.Limit)), Warnings: notices(r.Warnings),
		Costs: newCosts(r), Contents: newContentsView(r), Unsaid: notices(r.Unsaid), Unpark: escape.Prose(strings.TrimSpace("unpark " + r.Unpark.Version)),
	}
	if !r.Started.IsZero() {
		v.When = r.Started.UTC().Format("2 January 2006, 15:04 UTC")
	}
	v.Kind, v.Why = verdict(r)
	v.Kind = escape.Prose(v.Kind)
	full, folded := byWorth(r.Findings)
	for _, f := range full {
		v.Findings = append(v.Findings, newCard(f, loadOf(r)))
	}
	for _, f := range folded {
		v.Folded = append(v.Folded, newCard(f, loadOf(r)))
	}
	v.FoldedTitle = foldedTitle(len(folded))
	if len(r.Findings) == 0 && nothingFound(r) {
		v.Nothing = noCause(r)
	}
	for _, row := range ran(r) {
		v.Ran = append(v.Ran, rowView{row.label, strings.Join(row.parts, " · ")})
	}
	v.Tail = newTail(r)
	v.window(r)
	return v, nil
}

// window fills in what the reported window has.
func (v *view) window(r unpark.Run) {
	v.Data.Kind = firstGraph(r)
	for i, g := range v.Graphs {
		if string(g.Kind) != v.Data.Kind && (i > 0 || v.Data.Kind != "") {
			v.Graphs[i].First = nil // it is not what the page shows first
		}
	}
	w := r.Measured()
	if w == nil {
		return
	}
	v.Figures = headFigures(r, *w)
	if l := w.Load; l != nil {
		v.Data.Requests = l.Answered()
		v.Data.Response, v.Data.Service = newDensity(l.Response), newDensity(l.Service)
		for _, x := range []struct {
			name string
			l    unpark.Latency
		}{{"response", l.Response}, {"service", l.Service}, {"generator lag", l.Lag}} {
			if x.l.N > 0 {
				v.Latency.Rows = append(v.Latency.Rows, append([]string{x.name}, latencyCells(x.l)...))
			}
		}
		v.Latency.Header = []string{"", "min", "p50", "p90", "p95", "p99", "p99.9", "max", "mean", "n"}
	}
	for _, t := range w.Timeline {
		v.Data.Ticks = append(v.Data.Ticks, tick{
			At: finite(t.At), RPS: finite(t.RPS), P99: finite(t.P99), Errors: t.Errors, Cores: t.Cores, Generator: t.Generator, Phase: escape.Prose(t.Phase),
		})
	}
	v.Timeline = len(w.Timeline) > 1
	if len(w.Processes) > 0 {
		v.Process.Header = processHeader()
		for _, p := range w.Processes {
			v.Process.Rows = append(v.Process.Rows, processRow(p))
		}
		v.Workers = workers(w.Processes)
		if len(w.Processes) > 1 {
			v.Process.Total = totalRow(*w)
		}
	}
	if len(r.Windows) > 1 {
		v.Levels = tableView{Header: levelHeader(), Rows: levelRows(r)}
	}
	for _, win := range r.Windows {
		for _, p := range win.Profiles {
			v.Profiles = append(v.Profiles, profileView{
				string(p.Kind), strconv.Itoa(p.PID), escape.Prose(p.File), escape.Prose(string(p.State)), escape.Prose(p.Note),
			})
		}
	}
}

func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

func runTitle(r unpark.Run) string {
	switch {
	case r.Target.Module != "":
		return escape.Prose(r.Target.Module)
	case len(r.Target.Command) > 0:
		return escape.Prose(r.Target.Command[0])
	case r.Target.Package != "":
		return escape.Prose(r.Target.Package)
	case r.Target.URL != "":
		return escape.Prose(r.Target.URL)
	default:
		return or(escape.Prose(r.ID), "run")
	}
}

func notices(all []unpark.Notice) []unpark.Notice {
	out := make([]unpark.Notice, len(all))
	for i, n := range all {
		out[i] = unpark.Notice{Code: escape.Prose(n.Code), Message: unbroken(sentence(n.Message)), Cure: unbroken(sentence(n.Cure))}
	}
	return out
}

// headFigures are the figures of the first screen.
func headFigures(r unpark.Run, w unpark.Window) []item {
	var out []item
	if l := w.Load; l != nil {
		if l.Response.N > 0 {
			out = append(out, item{"p50", units.Figure(l.Response.P50, "s")}, item{"p99", units.Figure(l.Response.P99, "s")})
		}
		out = append(out, item{"throughput", units.Figure(l.AchievedRPS, "req/s")}, item{"errors", units.Count(l.Errors) + " of " + units.Count(l.Attempts())})
	} else if s := w.Seconds(); s > 0 {
		out = append(out, item{"window", units.Figure(s, "s")})
	}
	cores := strings.TrimSuffix(total(w.Processes, func(p unpark.Process) unpark.Number { return p.Cores }).text("cores"), " cores")
	if allowed, ok := r.Target.Cores(r.Host, w).Get(); ok {
		cores += " of " + strings.TrimSuffix(units.Say(allowed, "cores"), " cores")
	}
	out = append(out, item{"target cores", cores})
	if w.Load != nil {
		out = append(out, item{"generator cores", coresOnly(w.Load.GeneratorCPU)})
	}
	if v, ok := w.Observer.Throughput.Get(); ok {
		out = append(out, item{"profiling cost", units.Percent(max(1-v, 0))})
	}
	return out
}

func newDensity(l unpark.Latency) *density {
	if l.N == 0 {
		return nil
	}
	d := &density{Min: finite(l.Min), Le: []float64{}, Count: []int64{}}
	for _, b := range l.Buckets {
		if b.Le > 0 && !math.IsInf(b.Le, 0) {
			d.Le, d.Count = append(d.Le, b.Le), append(d.Count, b.Count)
		}
	}
	for _, m := range []markView{{"p50", l.P50}, {"p90", l.P90}, {"p99", l.P99}, {"p99.9", l.P999}, {"max", l.Max}} {
		if m.At > 0 && !math.IsInf(m.At, 0) {
			d.Marks = append(d.Marks, m)
		}
	}
	return d
}

func latencyCells(l unpark.Latency) []string {
	var out []string
	for _, v := range []float64{l.Min, l.P50, l.P90, l.P95, l.P99, l.P999, l.Max, l.Mean} {
		out = append(out, units.Figure(v, "s"))
	}
	return append(out, units.Count(l.N))
}

// firstGraph picks the graph that shows the limit.
func firstGraph(r unpark.Run) string {
	want := []unpark.Kind{unpark.KindCPU}
	switch r.Limit.Kind {
	case unpark.LimitLock, unpark.LimitChannel, unpark.LimitPool, unpark.LimitDownstream, unpark.LimitIO, unpark.LimitRateLimit:
		want = []unpark.Kind{unpark.KindBlock, unpark.KindMutex, unpark.KindGoroutine}
	case unpark.LimitGC:
		want = []unpark.Kind{unpark.KindAllocs}
	}
	for _, k := range want {
		for _, f := range r.Flames {
			if f.Kind == k {
				return string(k)
			}
		}
	}
	return ""
}
