package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/judgetest"
)

// row is what one run said, held against the expectation.
type row struct {
	fault
	variant string
	run     unpark.Run
	err     error

	top1, top3 mark // the culprit, by an accepted class
	limit      mark
	advice     mark     // what the documented fix does is among the first three remedies
	alarms     int      // findings that must not be there
	contradict []string // what cannot be true together, of any service
}

// mark is right, wrong, or not asked.
type mark int

const (
	notAsked mark = iota
	wrong
	right
)

func (m mark) String() string { return [...]string{".", "NO", "yes"}[m] }

func is(ok bool) mark {
	if ok {
		return right
	}
	return wrong
}

// judge compares a run with what a fair expert says.
func judge(f fault, variant string, run unpark.Run, err error) row {
	r := row{fault: f, variant: variant, run: run, err: err}
	asked := variant == "before" && len(f.Expect.Culprit) > 0
	limits := f.Expect.Limit
	if variant == "after" {
		limits = f.Expect.After.Limit
	}
	if len(limits) > 0 {
		r.limit = is(err == nil && slices.Contains(acceptedLimits(limits), string(run.Limit.Kind)))
	}
	if asked {
		i := r.hit()
		silent := f.Expect.Silent && err == nil && len(run.Findings) == 0
		r.top1, r.top3 = is(i == 0 || silent), is(i >= 0 || silent)
		if len(f.Remedy) > 0 && !silent { // of nothing there is no advice
			r.advice = is(i >= 0 && r.advised(run.Findings[i]))
		}
	}
	r.alarms = r.alarmed()
	r.contradict = judgetest.Contradictions(run)
	return r
}

// hit is the index of the first of the first three findings that names the culprit; −1
// when none does.
func (r row) hit() int {
	classes := accepted(r.Expect.Class)
	return slices.IndexFunc(r.run.Findings[:min(3, len(r.run.Findings))], func(f unpark.Finding) bool {
		return slices.Contains(classes, string(f.Class)) && r.Expect.Culprit.match(functions(f))
	})
}

// advised reports whether the first three remedies hold what the fix does.
func (r row) advised(f unpark.Finding) bool {
	var said strings.Builder
	for _, remedy := range f.Remedies[:min(3, len(f.Remedies))] {
		said.WriteString(remedy.Title + "\n" + remedy.Why + "\n" + remedy.When + "\n")
	}
	return r.Remedy.match([]string{said.String(), strings.ToLower(said.String())})
}

// alarmed counts the findings that must not be there.
func (r row) alarmed() int {
	waits := []string{string(unpark.ClassLock), string(unpark.ClassChannel)}
	forbid, classes, looked := r.Expect.Forbid, waits, len(r.run.Findings)
	if r.variant == "after" {
		forbid, looked = r.Expect.After.Forbid, max(1, r.Expect.After.ForbidRank)
		if c := r.Expect.After.ForbidClass; len(c) > 0 {
			classes = accepted(c)
		}
	}
	n := 0
	for i, f := range r.run.Findings {
		of := slices.Contains(classes, "any") || slices.Contains(classes, string(f.Class))
		wait := slices.Contains(waits, string(f.Class))
		if i < looked && of && forbid.match(functions(f)) || r.variant == "after" && wait && r.Expect.Forbid.match(functions(f)) {
			n++
		}
	}
	return n
}

// accepted adds the classes that are other words for one that is listed.
func accepted(classes []string) []string {
	return with(classes, map[string][]string{"syscall": {"io"}})
}

// acceptedLimits adds the limits that are other words for one that is listed: garbage is a
// limit by its collector, and a closed loop that has room is bound by its connections.
func acceptedLimits(limits []string) []string {
	return with(limits, map[string][]string{
		"syscall": {"io"}, "alloc": {string(unpark.LimitGC)}, "none": {string(unpark.LimitUnknown), string(unpark.LimitConnections)},
	})
}

func with(words []string, same map[string][]string) []string {
	out := slices.Clone(words)
	for _, w := range words {
		out = append(out, same[w]...)
	}
	return out
}

// forecast is a promise of the finding that names the culprit, with what the fix did.
type forecast struct {
	name, metric string
	of           string          // the class of the finding, and where its cost is
	promised     unpark.Quantity // with two ends, or of one end alone
	measured     float64
	disturbed    bool // something else had the processors in one of the two runs: it says nothing of the forecast
}

// inside reports whether the outcome lies between the ends that are said.
func (f forecast) inside() bool {
	return f.promised.Low.Or(f.measured) <= f.measured && f.measured <= f.promised.High.Or(f.measured)
}

// twoEnded reports whether both ends are said.
func (f forecast) twoEnded() bool { return f.promised.Known() }

func (f forecast) String() string {
	word := "OUTSIDE"
	switch {
	case f.disturbed:
		word = "disturbed"
	case f.inside():
		word = "inside"
	}
	q, said := f.promised, ""
	switch low, high := q.Low.Or(0), q.High.Or(0); {
	case f.twoEnded():
		said = fmt.Sprintf("×%.3g (%.3g–%.3g)", q.Value.Or(0), low, high)
	case q.Low.Known():
		said = fmt.Sprintf("×%.3g or more", low)
	default:
		said = fmt.Sprintf("×%.3g or less", high)
	}
	return fmt.Sprintf("forecast %-34s %-10s %s, measured ×%.3g %s · %s", f.name, f.metric, said, f.measured, word, f.of)
}

// forecasts holds what the finding that names the culprit promises of its first remedy
// against the fixed variant.
func forecasts(before, after row) []forecast {
	i := before.hit()
	b, a := loadOf(before.run), loadOf(after.run)
	if i < 0 || b == nil || a == nil {
		return nil
	}
	told := before.run.Findings[i]
	p := told.Prediction
	of := string(told.Class) + " " + told.Site.Function
	if told.Culprit != nil {
		of = string(told.Class) + " " + told.Culprit.Function
	}
	var out []forecast
	add := func(metric string, q unpark.Quantity, measured float64) {
		said := q.Known() || q.Low.Known() || q.High.Known()
		if said && !math.IsNaN(measured) && !math.IsInf(measured, 0) {
			out = append(out, forecast{before.Name, metric, of, q, measured, disturbed(before.run) || disturbed(after.run)})
		}
	}
	add("throughput", p.Throughput, a.AchievedRPS/b.AchievedRPS)
	add("p99", p.P99, a.Response.P99/b.Response.P99)
	return out
}

func loadOf(run unpark.Run) *unpark.Load {
	if len(run.Windows) == 0 {
		return nil
	}
	return run.Windows[0].Load
}
