package diagnose

import (
	"cmp"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// pause is the request-path waiting of some classes in one function, joined
// over lines and sources. Block profile and snapshots never hold the same wait
// twice (package evidence), so their delays add up.
type pause struct {
	wait    facts.Wait // the heaviest of them
	delay   float64    // s
	count   float64    // waits that ended
	seen    float64    // records of the profile, and sightings in snapshots
	sources map[string]float64
	calls   *unpark.Held // another goroutine's system calls, or its use of a connection, that it is a wait for
	between []pause      // the same wait, as those feel it whom requests wait for
	beside  []pause      // waits for the same in other functions, part of this one
}

// covers reports whether the waits in a function are part of this one.
func (p pause) covers(function string) bool {
	is := func(other pause) bool { return other.wait.Waiter.Function == function }
	return is(p) || slices.ContainsFunc(p.beside, is) || slices.ContainsFunc(p.between, is)
}

// add joins a wait for the same thing in another function.
func (p *pause) add(other pause) {
	p.delay += other.delay
	p.count += other.count
	p.seen += other.seen
	p.sources = maps.Clone(p.sources)
	for source, delay := range other.sources {
		p.sources[source] += delay
	}
	p.beside = append(p.beside, other)
}

// pauses returns the request-path waits of the classes, largest first. Idle
// waits and those of the background are no pauses: they delay nobody.
func (r reading) pauses(classes ...unpark.WaitClass) []pause {
	byFunction := map[string]*pause{}
	for _, w := range r.ev.Waits {
		if w.Side != unpark.RequestPath || w.Idle || w.Delay <= 0 || !slices.Contains(classes, w.Class) {
			continue
		}
		p := byFunction[w.Waiter.Function]
		if p == nil {
			p = &pause{sources: map[string]float64{}}
			byFunction[w.Waiter.Function] = p
		}
		if w.Delay > p.wait.Delay {
			p.wait = w
		}
		p.delay += w.Delay
		p.count += w.Count
		p.seen += r.sightings(w)
		p.sources[w.Source] += w.Delay
	}
	out := make([]pause, 0, len(byFunction))
	for _, p := range byFunction {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b pause) int {
		return cmp.Or(cmp.Compare(b.delay, a.delay), cmp.Compare(a.wait.Waiter.Function, b.wait.Waiter.Function))
	})
	return out
}

// sightings is how often a wait was seen: its records, or the goroutines met in
// snapshots. Its relative error falls with it.
func (r reading) sightings(w facts.Wait) float64 {
	if w.Count > 0 {
		return r.recorded(w.Delay, w.Count)
	}
	return w.Delay / max(r.seconds, 1e-9) * float64(w.Samples)
}

// blockFile is the source of what the block profile recorded.
const blockFile = "block.pb.gz"

// Floors of a wait that is no lock. Snapshots cannot see less than about one
// goroutine in a hundred, and a hundredth of a request's time is below what two
// identical runs differ by (±3–7 %, DESIGN §5).
const (
	pauseShare   = 0.01
	pauseWaiters = 0.05
	// sleepShare is the floor of a sleep that no limiter asked for: programs
	// sleep in many places on purpose, and only a large one is worth a look.
	sleepShare = 0.3
	// loneWaiters is the floor when no load says what a request's time is.
	loneWaiters = 0.5
)

func (r reading) felt(p pause) bool {
	waiters := p.delay / max(r.seconds, 1e-9)
	share, ok := r.share(p.delay).Get()
	switch {
	case !r.delays(p):
		return false
	case !ok:
		return waiters >= loneWaiters
	case p.wait.Count == 0 && p.seen < 3:
		return false // one or two goroutines in snapshots are chance
	}
	least := pauseShare
	if p.wait.Class == unpark.WaitSleep {
		least = sleepShare
	}
	return share >= least && (waiters >= pauseWaiters || share >= 10*pauseShare)
}

// fitsRequests is how much longer than the requests themselves their waits for
// other goroutines can be measured, by the two ends of the window not matching.
const fitsRequests = 1.5

// delays reports whether the figures fit waits of requests that were answered. A
// worker that is parked in a place which no catalogue knows looks like a request
// by its stack; its figures do not.
func (r reading) delays(p pause) bool {
	if p.wait.Count > 0 && r.load != nil && r.load.Response.N > 0 &&
		p.delay/p.count > r.load.Response.Max {
		return false // one wait lasts longer than the longest request
	}
	if !slices.Contains(joins(), p.wait.Class) {
		return true
	}
	if _, finished := p.sources[blockFile]; !finished && r.present(unpark.KindBlock) {
		return false // the block profile records every such wait that ends: none did
	}
	return r.share(p.delay).Or(0) <= fitsRequests
}

// confidence of a wait: high when a second kind of measurement agrees, which is
// the goroutines met there, or the time that requests take.
func (r reading) confidence(p pause) unpark.Confidence {
	met, known := r.met(p)
	share, loaded := r.share(p.delay).Get()
	waiters := p.delay / max(r.seconds, 1e-9)
	switch {
	case p.seen < 10, known && (met > 4*waiters || waiters > 4*met):
		return unpark.Low
	case known && met <= 2*waiters && waiters <= 2*met, loaded && share >= fills && share <= 1.1:
		return unpark.High
	default:
		return unpark.Medium
	}
}

// met is the mean number of goroutines that snapshots met at a wait which the
// block profile recorded; unknown with fewer than ten sightings.
func (r reading) met(p pause) (float64, bool) {
	if p.sources[blockFile] == 0 {
		return 0, false // the wait itself comes from snapshots
	}
	var mean, seen float64
	for _, g := range r.ev.Goroutines {
		if g.Class == p.wait.Class && g.Side == unpark.RequestPath && g.Site.Function == p.wait.Waiter.Function {
			mean += g.Mean
			seen += g.Mean * float64(g.Snapshots)
		}
	}
	return mean, seen >= 10
}

// finding fills in what all wait findings share.
func (r reading) finding(rule string, class unpark.Class, p pause) unpark.Finding {
	f := unpark.Finding{
		Rule: rule, Class: class, Site: p.wait.Waiter, Waiter: pointer(p.wait.Waiter),
		Share: r.waitingShare(p), ShareOf: "request-path waiting", Confidence: r.confidence(p),
		Cost: r.waitCost(p.delay, p.seen), Path: path(p.wait.Stack),
	}
	for _, source := range slices.Sorted(maps.Keys(p.sources)) {
		f.Facts = append(f.Facts, fact("requests waited here, summed", p.sources[source], "s", source))
	}
	f.Facts = append(f.Facts, numberFact("of the time that a request takes", r.share(p.delay), "ratio", "load")...)
	function := p.wait.Waiter.Function
	f.Facts = append(f.Facts, r.mutexFacts("on this path, below "+short(function), onPath, func(l facts.Lock) bool {
		return on(l.WaiterAll, function) || on(l.HolderAll, function)
	})...)
	for _, b := range p.beside {
		f.Facts = append(f.Facts, fact("of it in "+short(b.wait.Waiter.Function), b.delay, "s", b.wait.Source))
	}
	for _, b := range p.between {
		f.Facts = append(f.Facts, fact("in between, "+short(b.wait.Waiter.Function)+" waits for the same on behalf of others, mean goroutines", b.delay/max(r.seconds, 1e-9), "goroutines", b.wait.Source))
	}
	return f
}

// waitingShare is a pause's part of all waiting on the request path.
func (r reading) waitingShare(p pause) unpark.Number {
	var total float64
	for _, w := range r.ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle {
			total += w.Delay
		}
	}
	return unpark.Ratio(p.delay, total)
}

// root is the outermost frame: which sort of goroutine a stack belongs to.
func root(stack []unpark.Site) string {
	if len(stack) == 0 {
		return ""
	}
	return stack[len(stack)-1].Function
}
