package index

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// The kinds of a Row.
const (
	Run    = "run"
	AB     = "ab"
	Bisect = "bisect"
)

// The states of a Row.
const (
	Whole      = "whole"
	Partial    = "partial"    // it has not ended, or was stopped
	Void       = "void"       // its figures are not to be trusted
	Unreadable = "unreadable" // its document cannot be read, or is of a newer unpark
)

// Row is what is known of one directory without opening it.
type Row struct {
	Path     string         `json:"path"`             // of the directory below the folder, with slashes
	Parent   string         `json:"parent,omitempty"` // the directory of the experiment that it is part of
	Kind     string         `json:"kind"`
	State    string         `json:"state"`
	Why      string         `json:"why,omitempty"` // of a State that is not whole, and of figures that are left out
	ID       string         `json:"id,omitempty"`
	Started  time.Time      `json:"started,omitzero"`
	Service  string         `json:"service,omitempty"`
	Revision string         `json:"revision,omitempty"` // of the service's source
	Load     string         `json:"load,omitempty"`     // in words
	Series   string         `json:"series,omitempty"`   // equal for runs that can be compared: service, load, machine
	Machine  string         `json:"machine,omitempty"`  // in words; of the same series it may differ in kernel and memory
	Limit    string         `json:"limit,omitempty"`
	Metrics  compare.Sample `json:"metrics,omitempty"` // in base units; none of a run that is void or did not end
	Findings []Finding      `json:"findings,omitempty"`
	Outcome  string         `json:"outcome,omitempty"` // of an experiment, in words
}

// Finding is what is kept of a finding.
type Finding struct {
	Class    string  `json:"class"`
	Title    string  `json:"title"`
	Function string  `json:"function"`
	Cost     float64 `json:"cost,omitempty"` // per request where that is known, in Unit
	Unit     string  `json:"unit,omitempty"`
}

// runRow is what is kept of a run.
func runRow(r unpark.Run) Row {
	out := Row{
		Kind: Run, State: Whole, ID: r.ID, Started: r.Started, Service: r.Target.Name(), Revision: r.Target.Revision, Load: loadText(r.Plan), Series: seriesOf(r), Machine: machineText(r.Host),
		Limit: string(r.Limit.Kind),
	}
	switch {
	case r.Partial != "":
		out.State, out.Why = Partial, r.Partial
	case r.IsVoid():
		out.State, out.Why = Void, r.Void[0].Message
	}
	sample, err := compare.Measure(r)
	if err != nil && out.Why == "" && r.Plan.Mode != unpark.NoLoad {
		out.Why = err.Error()
	}
	out.Metrics = sample
	for _, f := range r.Findings[:min(kept, len(r.Findings))] {
		out.Findings = append(out.Findings, newFinding(f))
	}
	return out
}

func newFinding(f unpark.Finding) Finding {
	out := Finding{Class: string(f.Class), Title: f.Title, Function: f.Site.Function}
	if f.Culprit != nil {
		out.Function = f.Culprit.Function
	}
	c := f.Cost
	for _, q := range []unpark.Quantity{c.WaitPerRequest, c.CPUPerRequest, c.BytesPerRequest, c.MeanWaiters, c.Cores, c.Goroutines, c.GrowthPerSecond, c.Throttled} {
		if v, ok := q.Value.Get(); ok {
			out.Cost, out.Unit = v, q.Unit
			break
		}
	}
	return out
}

// functions are the names by which a run can be found: of its findings and of what else its CPU goes to, with the way to them.
func functions(r unpark.Run) []string {
	var out []string
	add := func(all ...unpark.Site) {
		for _, s := range all {
			if s.Function != "" {
				out = append(out, s.Function)
			}
		}
	}
	for _, f := range slices.Concat(r.Findings, r.Costs) {
		add(f.Site)
		for _, s := range []*unpark.Site{f.Culprit, f.Waiter, f.Holder} {
			if s != nil {
				add(*s)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// loadText says how requests arrive.
func loadText(p unpark.Plan) string {
	var parts []string
	switch {
	case p.Mode == unpark.NoLoad:
		return "no load of unpark's"
	case p.Mode == unpark.Sweep:
		parts = append(parts, fmt.Sprintf("sweep of %d levels", len(p.Levels)))
	case p.RateRPS > 0:
		parts = append(parts, fmt.Sprintf("%s %.4g/s", p.Mode, p.RateRPS))
	case p.Connections > 0:
		parts = append(parts, fmt.Sprintf("%s %d", p.Mode, p.Connections))
	default:
		parts = append(parts, string(p.Mode))
	}
	if asked := asked(p); len(asked) > 0 {
		text := asked[0]
		if len(asked) > 1 {
			text += fmt.Sprintf(" +%d", len(asked)-1)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " · ")
}

// machineText says what a machine is.
func machineText(h unpark.Host) string {
	var parts []string
	if h.OS != "" {
		parts = append(parts, h.OS+"/"+h.Arch)
	}
	if h.CPUs > 0 {
		parts = append(parts, unpark.Counted(int64(h.CPUs), "CPU"))
	}
	if h.Model != "" {
		parts = append(parts, h.Model)
	}
	if h.Memory > 0 {
		parts = append(parts, fmt.Sprintf("%.0f GB", h.Memory/1e9))
	}
	if h.Kernel != "" {
		parts = append(parts, "kernel "+h.Kernel)
	}
	return strings.Join(parts, " · ")
}

// asked lists the method and path of each request.
func asked(p unpark.Plan) []string {
	var out []string
	for _, r := range p.Requests {
		at := r.URL
		if _, target, ok := unpark.SplitUnix(r.URL); ok {
			at = target
		} else if _, rest, ok := strings.Cut(r.URL, "://"); ok {
			_, at, _ = strings.Cut(rest, "/")
			at = "/" + at
		}
		out = append(out, r.Method+" "+at)
	}
	return out
}

// seriesOf names what a run can be compared with over time: the same service under the same load, with as much of a machine
// like it. A rate that follows a calibration may differ a little, so two digits of it count.
func seriesOf(r unpark.Run) string {
	p := r.Plan
	requests := asked(p)
	for i, q := range p.Requests {
		requests[i] += fmt.Sprintf(" %s %g", q.Sum, q.EffectiveWeight())
	}
	slices.Sort(requests)
	h := fnv.New64a()
	fmt.Fprintln(h, r.Target.Name(), p.Mode, p.Connections, twoDigits(p.RateRPS), p.Think, p.Stages, p.Levels, p.LevelsIn, p.Protocol, requests)
	fmt.Fprintln(h, r.Target.Quota, len(r.Target.CPUs), r.Host.OS, r.Host.Arch, r.Host.CPUs, r.Host.Model)
	if w := r.Measured(); w != nil {
		fmt.Fprintln(h, len(w.Processes))
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

func twoDigits(v float64) float64 {
	if v <= 0 {
		return 0
	}
	by := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Round(v/by) * by
}

// abRow is what is kept of a comparison.
func abRow(c unpark.Comparison) Row {
	out := Row{Kind: AB, State: Whole, Metrics: nil}
	if len(c.Refused) > 0 {
		out.State, out.Why = Void, c.Refused[0].Message
		return out
	}
	out.Outcome = verdict(c)
	return out
}

// verdict says which metrics moved.
func verdict(c unpark.Comparison) string {
	var parts []string
	for _, e := range c.Effects {
		if e.Verdict == "better" || e.Verdict == "worse" {
			parts = append(parts, e.Metric+" "+e.Verdict)
		}
	}
	switch {
	case len(parts) == 0 && c.FunctionsWorse():
		parts = []string{"no metric differs, functions take more CPU"}
	case len(parts) == 0:
		parts = []string{"no metric differs"}
	}
	return strings.Join(parts, ", ") + " in " + unpark.Counted(int64(c.Rounds), "round")
}

func bisectRow(b unpark.Bisection) Row {
	return Row{Kind: Bisect, State: Whole, Service: b.Package, Outcome: cmp.Or(b.Why, b.Outcome)}
}

// unreadable is the row of a document that says nothing. Its reason leaves out the directory, which the row names.
func unreadable(kind, dir string, why error) Row {
	return Row{Kind: kind, State: Unreadable, Why: strings.ReplaceAll(why.Error(), dir+string(filepath.Separator), "")}
}

// named fills in what only the directory tells.
func (r Row) named(at string, modified time.Time) Row {
	r.Path = at
	if r.ID == "" {
		r.ID = path.Base(at)
	}
	if r.Started.IsZero() {
		r.Started = modified.UTC()
	}
	return r
}

// clean makes what comes from documents safe to show. Paths are names of folders, which are asked for by them.
func (r *Row) clean() {
	for _, text := range []*string{&r.Why, &r.ID, &r.Service, &r.Revision, &r.Load, &r.Machine, &r.Limit, &r.Outcome} {
		*text = escape.Prose(*text)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Class, f.Title, f.Function, f.Unit = escape.Prose(f.Class), escape.Prose(f.Title), escape.Line(f.Function), escape.Line(f.Unit)
	}
}

// brief is what a list shows of a row.
func (r Row) brief() Row {
	r.Findings = r.Findings[:min(1, len(r.Findings))]
	r.Machine = ""
	return r
}
