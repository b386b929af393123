package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// row is a label with parts that are printed side by side.
type row struct {
	label string
	parts []string
}

// loadOf returns the load of the reported window, nil when there was none.
func loadOf(r unpark.Run) *unpark.Load {
	if w := r.Measured(); w != nil {
		return w.Load
	}
	return nil
}

// verdict returns the word and the sentence of the first line.
func verdict(r unpark.Run) (kind, why string) {
	kind, why = string(r.Limit.Kind), escape.Prose(r.Limit.Why)
	if kind == "" {
		kind = string(unpark.LimitUnknown)
	}
	if r.Limit.Service != "" {
		kind += " in " + escape.Line(r.Limit.Service)
	}
	if why != "" {
		return kind, why
	}
	switch r.Limit.Kind {
	case unpark.LimitNone:
		why = "nothing in the process limits it at this load"
	case unpark.LimitUnknown, "":
		why = "there is not enough to tell what limits it"
	}
	return kind, why
}

// nothingFound reports that an empty list of findings is an answer: the run was
// whole, and there was enough to judge by.
func nothingFound(r unpark.Run) bool {
	return !r.IsVoid() && r.Partial == "" && r.Limit.Kind != "" && r.Limit.Kind != unpark.LimitUnknown
}

// bounds returns the ceiling and the utilization of the limit, those known.
func bounds(l unpark.Limit) []string {
	var out []string
	if l.Ceiling.Known() {
		out = append(out, "ceiling "+units.Quantity(l.Ceiling))
	}
	if l.Utilization.Known() {
		out = append(out, "utilization "+units.Quantity(l.Utilization))
	}
	return out
}

// ran says what was run, in the order in which a reader asks.
func ran(r unpark.Run) []row {
	rows := []row{
		{"target", targetParts(r.Target)},
		{"", targetNotes(r.Target)},
		{"load", loadParts(r)},
	}
	if len(rows[0].parts) == 0 { // of a benchmark only the module is known
		rows[1].label = "target"
	}
	w := r.Measured()
	if w == nil {
		return compact(append(rows, row{"host", hostParts(r.Host)}))
	}
	rows = append(rows, row{"window", windowParts(r, *w)})
	if l := w.Load; l != nil {
		rows = append(rows, row{"response", latencyParts(l.Response)})
		if far(l.Service.P99, l.Response.P99) {
			rows = append(rows, row{"service", latencyParts(l.Service)})
		}
		rows = append(rows, row{"p99", precisionParts(l.Precision)}, row{"errors", errorParts(*l)})
	}
	rows = append(rows,
		row{"cpu", cpuParts(r, *w)},
	)
	rows = append(rows, serviceRows(r)...)
	rows = append(rows,
		row{"promise", searchParts(r.Search)},
		row{"scaling", scalingParts(r.Scaling)},
		row{"blocking", blockingParts(r.Blocking, w.Load)},
		row{"capture", captureParts(*w)},
		row{"profiles", coverageParts(*w)},
		row{"host", append(hostParts(r.Host), speedParts(*w)...)},
	)
	if len(w.Processes) == 1 {
		rows = append(rows, row{"process", processParts(w.Processes[0])})
	}
	return compact(rows)
}

func compact(rows []row) []row {
	return slices.DeleteFunc(rows, func(r row) bool { return len(r.parts) == 0 })
}

// handed reports whether a run is files that were given, such as those of a benchmark:
// no run directory was written.
func handed(r unpark.Run) bool {
	w := r.Measured()
	return len(targetParts(r.Target)) == 0 || w != nil && loose(*w)
}

func loadParts(r unpark.Run) []string {
	p := r.Plan
	var out []string
	switch p.Mode {
	case unpark.Closed:
		out = append(out, connections(p.Connections)+", closed loop")
	case unpark.Constant:
		out = append(out, units.Say(p.RateRPS, "req/s")+", evenly spaced")
	case unpark.Poisson:
		out = append(out, units.Say(p.RateRPS, "req/s")+", Poisson")
	case unpark.Ramp:
		out = append(out, "ramp "+stages(p.Stages))
	case unpark.Sweep:
		out = append(out, "sweep over "+levels(p.Levels)+" "+or(escape.Prose(p.LevelsIn), "connections"))
	case unpark.External:
		out = append(out, "driven by another generator")
	case unpark.NoLoad:
		return []string{"none driven: whatever traffic there was"}
	default:
		return nil
	}
	if p.Mode.Open() && p.Connections > 0 {
		out = append(out, "at most "+connections(p.Connections))
	}
	if n := len(p.Requests); n > 0 {
		text := strings.TrimSpace(escape.Prose(p.Requests[0].Method + " " + p.Requests[0].URL))
		if n > 1 {
			text += fmt.Sprintf(" and %d more", n-1)
		}
		out = append(out, text)
	}
	if p.Protocol != "" {
		out = append(out, escape.Prose(p.Protocol))
	}
	return out
}

func connections(n int) string { return many(int64(n), "connection") }

func stages(all []unpark.Stage) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = units.Say(s.From, "") + "–" + units.Say(s.To, "req/s") + " in " + units.Say(s.Duration, "s")
	}
	return strings.Join(parts, ", ")
}

func levels(all []float64) string {
	parts := make([]string, len(all))
	for i, v := range all {
		parts[i] = units.Say(v, "")
	}
	return strings.Join(parts, ", ")
}

func windowParts(r unpark.Run, w unpark.Window) []string {
	var out []string
	if s := w.Seconds(); s > 0 {
		text := units.Figure(s, "s")
		if r.Plan.Warmup > 0 {
			text += " after " + units.Say(r.Plan.Warmup, "s") + " of warm-up"
		}
		out = append(out, text)
	}
	l := w.Load
	if l == nil {
		return out
	}
	out = append(out, many(l.Requests, "request"), units.Figure(l.AchievedRPS, "req/s"))
	if l.Mode.Open() && far(l.OfferedRPS, l.AchievedRPS) {
		out = append(out, "offered "+units.Figure(l.OfferedRPS, "req/s"))
	}
	if l.BytesPerResponse.Known() {
		out = append(out, units.Number(l.BytesPerResponse, "B")+" per answer")
	}
	return out
}

// far reports that two figures differ by more than 1 %.
func far(a, b float64) bool {
	d := a - b
	return d*d > 1e-4*b*b
}

func latencyParts(l unpark.Latency) []string {
	if l.N == 0 {
		return []string{units.Unknown}
	}
	return []string{
		"p50 " + units.Figure(l.P50, "s"), "p90 " + units.Figure(l.P90, "s"), "p99 " + units.Figure(l.P99, "s"),
		"p99.9 " + units.Figure(l.P999, "s"), "max " + units.Figure(l.Max, "s"),
	}
}

// errorParts is empty when every request was answered as expected.
func errorParts(l unpark.Load) []string {
	var out []string
	if l.Errors > 0 {
		text := many(l.Errors, "error")
		if total := l.Attempts(); total > 0 {
			text = units.Count(l.Errors) + " of " + units.Count(total)
		}
		out = append(out, text)
	}
	for _, k := range keys(l.ErrorKinds) {
		out = append(out, escape.Prose(k)+" "+units.Count(l.ErrorKinds[k]))
	}
	if l.Unfinished > 0 {
		out = append(out, units.Count(l.Unfinished)+" unfinished")
	}
	if l.Errors > 0 && l.ErrorSample != "" {
		out = append(out, "first: "+escape.Prose(l.ErrorSample))
	}
	return out
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
