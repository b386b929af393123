package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
)

func leakRule() Rule {
	return Rule{
		ID: "leak", Title: "goroutine leak", Class: unpark.ClassLeak,
		Doc: "Reads groups of goroutines over the window's snapshots. Fires when a group grows in nearly every snapshot, in " +
			"the second half as in the first, at constant load that the service keeps up with. Silent for a ramp-up that " +
			"settles, for a growing load, and for requests that queue because the service is overloaded.",
		Needs: []unpark.Kind{unpark.KindGoroutine},
		Run:   runLeak,
	}
}

const (
	leakSnapshots = 4    // two in each half
	leakLeast     = 10.0 // goroutines: fewer come and go with timers and connections
	leakPart      = 0.1  // of the first count
	leakSteps     = 0.8  // of the steps must grow: one snapshot may catch a pause
	leakSteady    = 0.5  // growth of the second half ÷ that of the first; a ramp-up settles
	stackBytes    = 2048 // runtime/stack.go: the least stack of a goroutine
)

func runLeak(ev unpark.Evidence) []unpark.Finding {
	r := read(ev)
	if !r.steadyLoad() {
		return nil
	}
	var out []unpark.Finding
	for _, g := range ev.Goroutines {
		if leaks(g) && len(out) < maxOfRule && g.Side != unpark.RuntimeSide && g.Side != unpark.ObserverSide {
			out = append(out, r.leakFinding(g))
		}
	}
	return out
}

// steadyLoad reports that growth cannot come from the load: its level is
// constant, and the target keeps up with it.
func (r reading) steadyLoad() bool {
	if r.ev.Plan.Mode == unpark.Ramp {
		return false
	}
	l := r.load
	return l == nil || !l.Mode.Open() || !r.overloaded()
}

// kept is the part of an offered rate that must be achieved: a run is void
// below 99.5 % for the generator's own reasons, so 2 % is the target's.
const kept = 0.98

// overloaded reports that an open loop offers more than the target takes.
func (r reading) overloaded() bool {
	l := r.load
	return l != nil && l.Mode.Open() && l.OfferedRPS > 0 && l.AchievedRPS < kept*l.OfferedRPS
}

func leaks(g unpark.GoroutineGroup) bool {
	s := g.Series
	if len(s) < leakSnapshots {
		return false
	}
	growth := s[len(s)-1] - s[0]
	if growth < max(leakLeast, leakPart*s[0]) {
		return false
	}
	up := 0
	for i := 1; i < len(s); i++ {
		if s[i] > s[i-1] {
			up++
		}
	}
	if float64(up) < leakSteps*float64(len(s)-1) {
		return false
	}
	// The middle snapshot belongs to both halves.
	middle := s[len(s)/2]
	if len(s)%2 == 0 {
		middle = (s[len(s)/2-1] + s[len(s)/2]) / 2
	}
	return s[len(s)-1]-middle >= leakSteady*(middle-s[0])
}

func (r reading) leakFinding(g unpark.GoroutineGroup) unpark.Finding {
	n := len(g.Series)
	growth := g.Series[n-1] - g.Series[0]
	site := g.Site
	if site.IsZero() {
		site = g.Created
	}
	f := unpark.Finding{
		Rule: "leak", Class: unpark.ClassLeak, Site: site, Waiter: pointer(g.Site), Path: path(g.Stack),
		Title:      fmt.Sprintf("Goroutines that wait in %s never end", short(site.Function)),
		Confidence: unpark.Medium,
		Facts: []unpark.Fact{
			fact("in the first snapshot", g.Series[0], "goroutines", "goroutine.pb.gz"),
			fact("in the last snapshot", g.Series[n-1], "goroutines", "goroutine.pb.gz"),
		},
		Remedies: leakRemedies(g),
	}
	f.Cost.Goroutines = unpark.Measured(g.Series[n-1], "goroutines", int64(n))
	// Snapshots are spread over the window; the first is at its start.
	if r.seconds > 0 {
		least, most := slices.Min(steps(g.Series)), slices.Max(steps(g.Series))
		perStep := float64(n-1) / r.seconds
		f.Cost.GrowthPerSecond = unpark.Between(growth/r.seconds, least*perStep, most*perStep, "goroutines/s", int64(n-1))
	}
	if per, ok := r.perRequest(growth).Get(); ok {
		f.Facts = append(f.Facts, fact("left behind per request", per, "goroutines", "goroutine.pb.gz"))
	}
	f.Facts = append(f.Facts, fact("least memory that they hold (stacks)", g.Series[n-1]*stackBytes, "B", "goroutine.pb.gz"))
	if r.metricsGrow(growth) {
		f.Confidence = unpark.High // the runtime's own count grows with the group
		f.Facts = append(f.Facts, unpark.Fact{Text: "the runtime's own count of goroutines grew as much", Source: "runtime/metrics"})
	}
	return f
}

func steps(series []float64) []float64 {
	out := make([]float64, 0, len(series))
	for i := 1; i < len(series); i++ {
		out = append(out, series[i]-series[i-1])
	}
	return out
}

// metricsGrow reports whether /sched/goroutines grew by about as much.
func (r reading) metricsGrow(growth float64) bool {
	var sum float64
	for _, p := range r.ev.Window.Processes {
		from, ok := p.Metrics.GoroutineStart.Get()
		to, also := p.Metrics.GoroutineEnd.Get()
		if !ok || !also {
			return false
		}
		sum += to - from
	}
	return sum >= growth/2
}

func leakRemedies(g unpark.GoroutineGroup) []unpark.Remedy {
	created := short(g.Created.Function)
	if created == "" {
		created = "the function that starts them"
	}
	return []unpark.Remedy{{
		Title: "Give the goroutine a way to end: a context that is cancelled with the request, or a channel that is closed",
		Why:   fmt.Sprintf("goroutines started as %s are still waiting when their request is long answered", created),
		Risk:  "cancel only what the request owns",
	}, {
		Title: "If it sends its result on a channel, give that channel room for one",
		Why:   "a sender whose receiver gave up (timeout, early return) waits for ever on an unbuffered channel",
	}, {
		Title: "Take a goroutineleak profile (Go 1.26 and later, where enabled): it names what can never be woken",
		Why:   "it proves the leak instead of inferring it from growth",
	}}
}
