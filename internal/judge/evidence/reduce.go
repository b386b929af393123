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
	// for cumulative kinds.
	Profiles map[unpark.Kind][]*profile.Profile
	// Snapshots holds goroutine profiles, [instant][process], in order of time.
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
	r := newReducer(in)
	ev := facts.Evidence{
		Host: in.Host, Target: in.Target, Plan: in.Plan, Window: in.Window,
		Seconds: r.seconds, Coverage: r.coverage, Doses: doses(in.Doses),
	}
	ev.Requests = r.requests()
	ev.Tracing = r.tracing()
	ev.CPU = r.cpu()
	ev.GC = r.gc(ev.CPU)
	ev.Waits = r.waits()
	ev.Locks = r.counted(r.locks(), ev.Tracing, ev.Requests)
	ev.Allocs = r.allocations(unpark.KindAllocs)
	ev.Retained = r.allocations(unpark.KindHeap)
	ev.Goroutines = r.goroutines()
	ev.Signals = r.signals()
	ev.Window.Observer = r.cost(ev.Window.Observer, ev)
	return ev, r.flames(), r.notices(ev)
}

// reducer holds the merged and labelled profiles while the evidence is made.
type reducer struct {
	in        Input
	catalogue *profile.Catalogue
	seconds   float64
	processes int // at least 1
	coverage  map[unpark.Kind]facts.KindCoverage
	merged    map[unpark.Kind]*profile.Profile
	stacks    map[unpark.Kind][]stack
	instants  [][]stack // labelled goroutine profiles, in order of time
	traces    *traces
	look      observing
	harness   bool // the clients are workers of a harness inside the process
	// peers is who is at the other end of connections that handlers read, by function.
	peers map[string]peer
}

// stack is a sample with its meaning.
type stack struct {
	sites        []unpark.Site
	value, count float64
	label        profile.Label
}

// site returns the application frame, or the frame that a reader would name in
// its place.
func (s stack) site() unpark.Site {
	switch {
	case s.label.App >= 0:
		return s.sites[s.label.App]
	case len(s.sites) > 0:
		return plumbed(s.sites, s.sites[0])
	}
	return unpark.Site{}
}

// caller returns the frame that called into Go's own machinery.
func (s stack) caller() unpark.Site {
	if s.label.Caller >= 0 {
		return s.sites[s.label.Caller]
	}
	return s.site()
}

// plumbed returns the first frame that is neither Go's own machinery nor the
// plumbing between a connection and its user: net/http.(*conn).serve, where an
// idle connection's stack begins with netFD.Read and bufio.
func plumbed(sites []unpark.Site, fallback unpark.Site) unpark.Site {
	for _, s := range sites {
		pkg := profile.Package(s.Function)
		switch pkg {
		case "net", "bufio", "io", "os", "time", "crypto/tls":
		default:
			if !machinery(pkg) && s.Function != "net/http.(*connReader).Read" {
				return s
			}
		}
	}
	return fallback
}

func newReducer(in Input) *reducer {
	if len(in.Snapshots) == 0 {
		if last := in.Profiles[unpark.KindGoroutine]; len(last) > 0 {
			in.Snapshots = [][]*profile.Profile{last}
		}
	}
	r := &reducer{
		in:      in,
		seconds: in.Window.Seconds(),
		merged:  map[unpark.Kind]*profile.Profile{},
		stacks:  map[unpark.Kind][]stack{},
	}
	for kind, ps := range in.Profiles {
		if used(ps) > 0 {
			r.merged[kind] = profile.Merge(ps...)
		}
	}
	var dumps []*profile.Profile
	for _, instant := range in.Snapshots {
		if used(instant) > 0 {
			dumps = append(dumps, profile.Merge(instant...))
		}
	}
	r.processes = max(1, len(in.Window.Processes), used(in.Profiles[unpark.KindCPU]), used(in.Profiles[unpark.KindBlock]))
	if r.seconds <= 0 {
		r.seconds = r.longest().Seconds()
	}
	r.catalogue = profile.NewCatalogue(in.Target.Module, in.Target.Own...).With(append(dumps, r.merged[unpark.KindCPU])...)
	for kind, p := range r.merged {
		r.stacks[kind] = r.labelled(p)
	}
	for _, d := range dumps {
		r.instants = append(r.instants, r.labelled(d))
	}
	if len(dumps) > 0 && r.merged[unpark.KindGoroutine] == nil {
		r.merged[unpark.KindGoroutine] = dumps[len(dumps)-1]
	}
	r.separate()
	r.look = r.observing()
	r.coverage = r.cover()
	r.handedOver()
	r.traces = r.readTraces()
	if r.seconds <= 0 {
		for _, t := range r.traces.all {
			r.seconds = max(r.seconds, t.Seconds)
		}
	}
	return r
}

func (r *reducer) labelled(p *profile.Profile) []stack {
	samples := p.Samples()
	out := make([]stack, 0, len(samples))
	for _, s := range samples {
		if s.Value == 0 && s.Count == 0 {
			continue
		}
		out = append(out, stack{s.Stack, s.Value, s.Count, r.catalogue.Label(p.Kind(), s.Stack)})
	}
	return out
}

// has reports whether a kind was measured; an empty profile of it then means that
// nothing happened.
func (r *reducer) has(kind unpark.Kind) bool { return r.coverage[kind].State == unpark.Present }

// observed sums what a kind holds of the observer.
func (r *reducer) observed(kind unpark.Kind) float64 {
	var sum float64
	for _, s := range r.stacks[kind] {
		if s.label.Side == unpark.ObserverSide {
			sum += s.value
		}
	}
	return sum
}

func (r *reducer) flames() []unpark.Flame {
	var out []unpark.Flame
	for _, kind := range unpark.Kinds() {
		if p := r.merged[kind]; p != nil {
			out = append(out, p.Flame(r.catalogue))
		}
	}
	return out
}

func doses(all []facts.Dose) []facts.Dose {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b facts.Dose) int { return cmp.Compare(a.RPS, b.RPS) })
	return out
}

func used(ps []*profile.Profile) int {
	n := 0
	for _, p := range ps {
		if p != nil {
			n++
		}
	}
	return n
}
