package evidence

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// Input is one window with its profiles.
type Input struct {
	Host   unpark.Host
	Target unpark.Target
	Plan   unpark.Plan
	Window unpark.Window
	// Profiles holds one profile for each process, already reduced to the window
	// for cumulative kinds, or their sums ([profile.Merger]).
	Profiles map[unpark.Kind][]*profile.Profile
	// Snapshots holds goroutine profiles, [instant][process], or their sums, in order of time.
	Snapshots [][]*profile.Profile
	// Traces are the execution traces of the window's traced stretch.
	Traces []Trace
	// Lost counts the processes whose profile of a kind could not be used.
	Lost map[unpark.Kind]int
	// Doses is what windows at other levels showed.
	Doses []facts.Dose
}

// Reduce returns the evidence of one window, one flame graph for each kind that
// was captured, in the order of [unpark.Kinds], and what a reader must know beside
// the figures. It does not change its input. The evidence's window carries what
// the observer cost.
func Reduce(in Input) (facts.Evidence, []unpark.Flame, []unpark.Notice) {
	p := newProfiles(in)
	clients := separate(p)
	look := observe(p)
	p.coverage = p.cover()
	taken := takeOvers(p)
	ts := readTraces(p, taken)
	p.complete(ts)
	p.in.Window.Processes = ts.answered(ts.parallel(in.Window.Processes))
	ev := facts.Evidence{
		Host: in.Host, Target: in.Target, Plan: in.Plan, Window: p.in.Window,
		Seconds: p.seconds, Coverage: p.coverage, Doses: doses(in.Doses),
	}
	ev.Requests = ts.completed()
	ev.Tracing, ev.Stops, ev.Starts = ts.tracing(), ts.stops(), ts.starts()
	ev.Drawn = requestsOf(ts)
	ev.CPU = cpu{p, look}.reduce()
	ev.GC = gc(p, look, ev.CPU, ts)
	ev.Waits = waits{p, ts}.reduce()
	ev.Locks = counted(p, contention{p, ts}.reduce(), ev.Tracing, ev.Requests)
	ev.Allocs, ev.Retained = allocations(p, unpark.KindAllocs), allocations(p, unpark.KindHeap)
	ev.CPU.Tree, ev.AllocTree = tree(p, unpark.KindCPU), tree(p, unpark.KindAllocs)
	ev.Goroutines = goroutines(p)
	ev.Signals = signals(p)
	ev.Window.Observer = look.cost(p, ev)
	return ev, p.flames(), notes(p, ev, ts, taken, clients)
}

// notes says what a reader must know beside the figures.
func notes(p *profiles, ev facts.Evidence, ts *traces, t takeover, clients bool) []unpark.Notice {
	n := notices{profiles: p, ev: ev}
	n.noteCoverage()
	if clients {
		n.noteHarness()
	}
	n.out = append(n.out, ts.bad...)
	n.notePeers(t)
	n.noteContention()
	n.noteParts(ts)
	n.noteTraces(ts)
	n.noteCPU()
	n.noteStretched()
	return n.out
}

func doses(all []facts.Dose) []facts.Dose {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b facts.Dose) int { return cmp.Compare(a.RPS, b.RPS) })
	return out
}
