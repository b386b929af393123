package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// Runs compares two runs of one round each. Ratios are after ÷ before. Runs that
// cannot be compared (another plan, quota, GOMAXPROCS or number of processes, a
// void or partial run, no load) are refused: the comparison says why and how to
// cure it, and has no effects and no findings. Where other processes had more than a
// tenth of the machine in either run, or the machines differ, times are not compared. A
// metric that one of the runs did not measure has no effect.
func Runs(before, after unpark.Run) unpark.Comparison {
	out := unpark.Comparison{
		Schema: unpark.SchemaAB, Rounds: 1,
		Refused: refusals(before, after), NotComparable: untimed(before, after), Floor: map[string]unpark.Quantity{}, Effects: []unpark.Effect{},
		Findings: []unpark.Changed{}, Forecast: []unpark.Forecast{}, Warnings: warnings(before, after),
	}
	if len(out.Refused) > 0 {
		out.Why = "not compared: " + out.Refused[0].Message
		return out
	}
	a, b := before.Measured(), after.Measured()
	for _, m := range metrics() {
		if e, ok := m.effect(m.of(before, a), m.of(after, b)); ok {
			out.Effects = append(out.Effects, e)
			out.Floor[m.name] = unpark.Measured(m.band, "ratio", recordedRuns)
		}
	}
	atOneThroughput(out.Effects)
	if len(out.NotComparable) > 0 {
		withdraw(&out)
	}
	profiled(&out, before, after)
	return out
}

// withdraw takes back what a comparison says of times.
func withdraw(c *unpark.Comparison) {
	for i, m := range c.Effects {
		if (metric{name: m.Metric}).timing() {
			c.Effects[i].Ratio, c.Effects[i].Verdict = unpark.Quantity{}, unsaid
			delete(c.Floor, m.Metric)
		}
	}
}

// atOneThroughput leaves mean waiters without a verdict where the throughput changed:
// more requests have more waiters, though each may wait for less.
func atOneThroughput(all []unpark.Effect) {
	if slices.ContainsFunc(all, func(e unpark.Effect) bool { return e.Metric == throughput && e.Verdict != same }) {
		for i := range all {
			if all[i].Metric == waiters {
				all[i].Verdict = unsaid
			}
		}
	}
}

// named is one arm of a comparison.
type named struct {
	name string
	run  unpark.Run
}

func arms(before, after unpark.Run) []named { return []named{{"before", before}, {"after", after}} }

// refusals says why two runs cannot be compared; none when they can.
func refusals(before, after unpark.Run) []unpark.Notice {
	out := []unpark.Notice{}
	add := func(code, message, cure string) {
		out = append(out, unpark.Notice{Code: code, Message: message, Cure: cure})
	}
	for _, arm := range arms(before, after) {
		if arm.run.IsVoid() {
			add("void-run", fmt.Sprintf("the run %s is void: %s", arm.name, arm.run.Void[0].Message), arm.run.Void[0].Cure)
		}
		if arm.run.Partial != "" {
			add("partial-run", fmt.Sprintf("the run %s did not end: %s", arm.name, arm.run.Partial), "run it again to its end")
		}
		if w := arm.run.Measured(); w == nil || w.Load == nil {
			add("no-load", fmt.Sprintf("the run %s measured no load, so there is nothing to compare per request", arm.name), "let unpark drive the load: --connections or --rate")
		}
	}
	if text := plans(before.Plan, after.Plan); text != "" {
		add("different-plans", "the runs were not made under the same load: "+text, "repeat one of them with the other's flags")
	}
	if a, b := before.Target.Quota, after.Target.Quota; a != b {
		add("different-quotas", fmt.Sprintf("the services were not given the same processors: %s before, %s after", quota(a), quota(b)), "repeat one of them with the other's --cpus")
	}
	if text := processors(before, after); text != "" {
		add("different-processes", "the services did not use the machine alike: "+text, "repeat one of them with the other's GOMAXPROCS and number of workers")
	}
	return out
}

func quota(n unpark.Number) string {
	if !n.Known() {
		return "no quota"
	}
	return "a quota of " + unpark.Plural(n.String(), "core")
}

// plans says how two plans differ; "" when they ask the same of a service. Length,
// warm-up, seed and where the service listens do not matter.
func plans(a, b unpark.Plan) string {
	switch {
	case a.Mode != b.Mode:
		return fmt.Sprintf("%s before, %s after", a.Mode, b.Mode)
	case a.Connections != b.Connections:
		return fmt.Sprintf("%s before, %d after", unpark.Counted(int64(a.Connections), "connection"), b.Connections)
	// Rates that follow a calibration of each arm may differ a little.
	case !near(a.RateRPS, b.RateRPS):
		return fmt.Sprintf("%s before, %s after", units.Figure(a.RateRPS, "req/s"), units.Figure(b.RateRPS, "req/s"))
	case a.Think != b.Think:
		return fmt.Sprintf("%s of think time before, %s after", units.Figure(a.Think, "s"), units.Figure(b.Think, "s"))
	case !slices.Equal(a.Stages, b.Stages):
		return "a ramp of other stages"
	case !slices.Equal(a.Levels, b.Levels) || a.LevelsIn != b.LevelsIn:
		return "a sweep over other levels"
	case a.Protocol != b.Protocol:
		return fmt.Sprintf("protocol %q before, %q after", a.Protocol, b.Protocol)
	case !slices.Equal(asked(a.Requests), asked(b.Requests)):
		return "other requests"
	default:
		return ""
	}
}

func near(a, b float64) bool { return a == b || (a > 0 && math.Abs(b/a-1) < sameRate) }

// asked lists what a plan requests, without the host.
func asked(requests []unpark.Request) []string {
	var out []string
	for _, r := range requests {
		path := r.URL
		if _, target, ok := unpark.SplitUnix(r.URL); ok {
			path = target[1:]
		} else if _, rest, ok := strings.Cut(r.URL, "://"); ok {
			_, path, _ = strings.Cut(rest, "/")
		}
		out = append(out, fmt.Sprintf("%s %s %s %g", r.Method, path, r.Sum, r.EffectiveWeight()))
	}
	slices.Sort(out)
	return out
}

// processors says how the processes of two runs differ in number or GOMAXPROCS; ""
// when they do not, or when it is not known.
func processors(before, after unpark.Run) string {
	a, b := before.Measured(), after.Measured()
	if a == nil || b == nil || len(a.Processes) == 0 || len(b.Processes) == 0 {
		return ""
	}
	if len(a.Processes) != len(b.Processes) {
		return fmt.Sprintf("%s before, %d after", unpark.Counted(int64(len(a.Processes)), "process"), len(b.Processes))
	}
	of := func(p unpark.Process) unpark.Number { return p.GOMAXPROCS }
	x, ok := sum(a, of)
	y, also := sum(b, of)
	if ok && also && x != y {
		return fmt.Sprintf("GOMAXPROCS %g before, %g after, summed over processes", x, y)
	}
	return ""
}

// warnings says what does not forbid a comparison and limits what it can say.
func warnings(before, after unpark.Run) []unpark.Notice {
	out := []unpark.Notice{{
		Code:    "one-round",
		Message: "one round of each is no proof: two identical runs differ by 3–7 % as a rule, and one pair in twenty by more than the floor",
		Cure:    "run both in turns, several rounds each, and compare the rounds: unpark ab",
	}}
	if x, y := before.Target.Go, after.Target.Go; x != y && x != "" && y != "" {
		out = append(out, unpark.Notice{
			Code:    "different-go",
			Message: fmt.Sprintf("the services were built with different versions of Go: %s before, %s after", x, y),
			Cure:    "build both with one, unless that is what is compared",
		})
	}
	return out
}
