package diagnose

import (
	"cmp"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

// pause is the request-path waiting of some classes in one function, joined
// over lines and over the measurements that saw it.
type pause struct {
	wait    unpark.Wait // the heaviest of them
	delay   float64     // s
	seen    float64     // events, or sightings in snapshots
	sources map[string]float64
	source  string  // the one delay comes from
	agree   bool    // two sources within a factor of two
	other   float64 // the delay of the source that disagrees most; 0 when none does
}

// pauses returns the request-path waits of the classes, largest first. Idle
// waits and those of the background are no pauses: they delay nobody.
func (r reading) pauses(classes ...unpark.WaitClass) []pause {
	type key struct{ function, source string }
	sums := map[key]*pause{}
	for _, w := range r.ev.Waits {
		if w.Side != unpark.RequestPath || w.Idle || w.Delay <= 0 || !slices.Contains(classes, w.Class) {
			continue
		}
		k := key{w.Waiter.Function, w.Source}
		p := sums[k]
		if p == nil {
			p = &pause{wait: w}
			sums[k] = p
		}
		if w.Delay > p.wait.Delay {
			p.wait = w
		}
		p.delay += w.Delay
		p.seen += sightings(w)
	}
	byFunction := map[string]*pause{}
	for _, k := range slices.SortedFunc(maps.Keys(sums), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.function, b.function), cmp.Compare(a.source, b.source))
	}) {
		byFunction[k.function] = join(byFunction[k.function], sums[k], k.source)
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

// sightings is how often a wait was seen; its relative error falls with it.
func sightings(w unpark.Wait) float64 {
	if w.Count > 0 {
		return w.Count
	}
	return float64(w.Samples)
}

// join adds what another source says about the same waits. Two sources see the
// same waits, so they are never summed. The larger one is kept: a block profile
// misses waits that have not ended, and snapshots miss nothing on average.
func join(have, more *pause, source string) *pause {
	if have == nil {
		more.sources = map[string]float64{source: more.delay}
		more.source = source
		return more
	}
	have.sources[source] = more.delay
	ratio := more.delay / have.delay
	if ratio >= 0.5 && ratio <= 2 {
		have.agree = true
	} else {
		have.other = min(more.delay, have.delay)
	}
	// Events say when each wait began and ended; snapshots only sample.
	if more.delay > 2*have.delay || (more.delay > have.delay && have.wait.Count == 0) {
		have.wait, have.delay, have.seen, have.source = more.wait, more.delay, more.seen, source
	}
	return have
}

// Floors of a wait that is no lock. Snapshots cannot see less than about one
// goroutine in a hundred, and a hundredth of a request's time is below what two
// identical runs differ by (±3–7 %, DESIGN §5).
const (
	pauseShare   = 0.01
	pauseWaiters = 0.05
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
	case p.wait.Count == 0 && p.wait.Samples > 0 && p.seen < 3:
		return false // one or two goroutines in snapshots are chance
	}
	return share >= pauseShare && (waiters >= pauseWaiters || share >= 10*pauseShare)
}

// fitsRequests is how much longer than the requests themselves their waits for
// other goroutines can be measured, by the two ends of the window not matching.
const fitsRequests = 1.5

// delays reports whether the figures fit waits of requests that were answered. A
// worker that is parked in a place which no catalogue knows looks like a request
// by its stack; its figures do not.
func (r reading) delays(p pause) bool {
	if events := p.wait.Count; events > 0 && r.load != nil && r.load.Response.N > 0 &&
		p.delay/p.seen > r.load.Response.Max {
		return false // one wait lasts longer than the longest request
	}
	if !slices.Contains(joins(), p.wait.Class) {
		return true
	}
	if _, finished := p.sources["block.pb.gz"]; !finished && r.present(unpark.KindBlock) {
		return false // the block profile records every such wait that ends: none did
	}
	return r.share(p.delay).Or(0) <= fitsRequests
}

// confidence of a wait: two sources that agree, one, or two that do not.
func (p pause) confidence() unpark.Confidence {
	switch {
	case p.other > 0 && !p.agree:
		return unpark.Low
	case p.agree:
		return unpark.High
	case p.seen < 10:
		return unpark.Low
	default:
		return unpark.Medium
	}
}

// finding fills in what all wait findings share.
func (r reading) finding(rule string, class unpark.Class, p pause) unpark.Finding {
	f := unpark.Finding{
		Rule: rule, Class: class, Site: p.wait.Waiter, Waiter: pointer(p.wait.Waiter),
		Share: r.waitingShare(p), ShareOf: "request-path waiting", Confidence: p.confidence(),
		Cost: r.waitCost(p.delay, p.seen), Path: path(p.wait.Stack),
	}
	for _, source := range slices.Sorted(maps.Keys(p.sources)) {
		f.Facts = append(f.Facts, fact("requests waited here, summed", p.sources[source], "s", source))
	}
	f.Facts = append(f.Facts, numberFact("of the time that a request takes", r.share(p.delay), "ratio", "load")...)
	return f
}

// waitingShare compares with what the same source saw: snapshots and block
// profile do not see the same waits.
func (r reading) waitingShare(p pause) unpark.Number {
	var total float64
	for _, w := range r.ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle && w.Source == p.source {
			total += w.Delay
		}
	}
	return unpark.Ratio(p.sources[p.source], total)
}

// root is the outermost frame: which sort of goroutine a stack belongs to.
func root(stack []unpark.Site) string {
	if len(stack) == 0 {
		return ""
	}
	return stack[len(stack)-1].Function
}
