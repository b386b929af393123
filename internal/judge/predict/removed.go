package predict

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/stats"
)

// removable is the part of a finding's CPU that goes away when it is fixed: at
// least, as taken for the value, at most.
func removable(class unpark.Class) span {
	switch class {
	case unpark.ClassGC:
		return span{0.25, 0.5, 1} // doubling the heap goal halves the collections
	case unpark.ClassAlloc:
		return span{0.5, 1, 1} // a pooled buffer is still cleared and filled
	case unpark.ClassPool:
		// What was seen is the opening. A connection is closed as well, and has buffers
		// and goroutines of its own at both ends; some must still be opened.
		return span{0.5, 1.25, 2.5}
	default:
		return span{0.95, 1, 1} // something stands in its place
	}
}

// sampledShare is the 90 % interval of a share of the target's CPU.
func (s scene) sampledShare(share float64) (low, high float64) {
	n := s.m.Ev.CPU.Samples()
	return stats.Binomial(share*n, n)
}

// shareOf is the part of the service's CPU that a finding costs.
func (s cuts) shareOf(f unpark.Finding) (float64, bool) {
	total, ok := s.m.Service.Get()
	cores, known := f.Cost.Cores.Value.Get()
	if !ok || !known || total <= 0 {
		return 0, false
	}
	return min(cores/total, 1), true
}

// cpuSpan returns the share of the target's CPU that goes away; its interval
// joins the sampling error of the profile with what a fix can remove. Cached
// reports that most requests do not cause that CPU.
func (s cuts) cpuSpan(f unpark.Finding) (out span, cached bool) {
	share, ok := s.shareOf(f)
	if !ok {
		return span{}, false
	}
	low, high := s.sampledShare(share)
	part := removable(f.Class)
	switch f.Class {
	case unpark.ClassRecompute:
		part, cached = s.spared(f, share)
	case unpark.ClassSyscall:
		part = s.joined(share * s.cpu)
	}
	// How often a sample met it and what a fix leaves of it have nothing to do with each
	// other.
	value := share * part.value
	out = span{
		value - math.Hypot((share-low)*part.value, share*(part.value-part.low)), value,
		value + math.Hypot((high-share)*part.value, share*(part.high-part.value)),
	}
	out.low = max(0, out.low)
	if f.Class == unpark.ClassAlloc {
		out = out.plus(s.fresh(f))
	}
	return span{min(out.low, 1), min(out.value, 1), min(out.high, 1)}, cached
}

// fewCalls is the part of the calls of an answer that is sent at once which may go.
const fewCalls = 0.1

// joined is the part of a request's read or write calls that goes away when they are
// made one, given what they take now, in seconds. Answers have to be sent after all:
// one call takes 5 to 30 µs and the copying of what it carries. Where that is all, a
// tenth may go (a header, a second flush), and half if answers get smaller.
func (s cuts) joined(calls float64) span {
	left := func(one float64) float64 {
		return 1 - min(1, (one+s.load.BytesPerResponse.Or(0)/copying)/max(calls, 1e-9))
	}
	return span{left(30e-6) / 2, max(fewCalls, left(15e-6)), max(0.5, left(5e-6))}
}

// lookup is the most that finding a kept answer takes: a lock, a map and a
// comparison.
const lookup = 20e-6

// spared is the part of the making of answers that goes away when they are kept.
// What never came before is made all the same. Where the requests in the middle
// take less than what a request costs on average without half of the making, most
// of them make nothing: something keeps answers already, and loses them together.
// Then of those that make the same answer at the same time one stays.
func (s cuts) spared(f unpark.Finding, share float64) (part span, cached bool) {
	repeated := s.load.Repeated.Or(1)
	making := share * s.cpu
	if making <= 0 || s.m.Ev.Typical().Or(0) >= s.cpu-making/2 {
		return span{repeated * max(0.95, 1-lookup/max(making, lookup)), repeated, 1}, false
	}
	part = s.herd(f.Site.Function)
	if s.varied() {
		part.high = repeated // or the ones in the middle are other requests
	}
	return part, true
}

// varied reports whether a median request may be of another kind than one that
// costs much: no kind has two thirds of them.
func (s cuts) varied() bool {
	var most, all float64
	for _, r := range s.m.Ev.Plan.Requests {
		w := r.EffectiveWeight()
		most, all = max(most, w), all+w
	}
	return most < all*2/3
}

// herd is the share of makings that are too many when goroutines make the same
// answer together, by the dumps that met any: all but one of each herd. A herd of h
// that shares the processors takes h times as long as one, and is met as much more
// often, so the share of one is the mean of 1/h over the dumps. Those that begin
// together and share the processors end together, so h is their number; those that
// are served in turn leave one by one, and it is nearly twice that. Without such
// dumps a herd is between one and all requests under way.
func (s cuts) herd(function string) span {
	var at []float64
	for _, g := range s.m.Ev.Goroutines {
		if g.Side != unpark.RequestPath || !slices.ContainsFunc(g.Stack, func(f unpark.Site) bool { return f.Function == function }) {
			continue
		}
		for i, n := range g.Series {
			for len(at) <= i {
				at = append(at, 0)
			}
			at[i] += n
		}
	}
	at = slices.DeleteFunc(at, func(n float64) bool { return n <= 0 })
	all := max(1, s.population)
	unseen := 1 - 1/math.Sqrt(all)
	if len(at) == 0 {
		return span{0, unseen, 1 - 1/all}
	}
	together, turns := make([]float64, len(at)), make([]float64, len(at))
	for i, n := range at {
		together[i], turns[i] = 1/max(1, n), 1/max(1, 2*n-1)
	}
	// What a share of one may be spreads from none to all: a quarter, before anything
	// was seen (the deviation of an even spread is 0.29).
	wide := stats.Z90 * 0.29 / math.Sqrt(float64(len(at)))
	less, more := 1-stats.Mean(together), 1-stats.Mean(turns)
	// A few dumps that each met one are no proof that there are no herds: what is
	// expected without any counts as one dump more (Laplace's rule).
	n := float64(len(at))
	value := (n*(less+more)/2 + unseen) / (n + 1)
	// A dump waits for a processor as everybody does, so those that herds fill are met
	// less often than they are.
	high := max(unseen, min(1-1/max(all, slices.Max(at)), more+wide))
	return span{max(0, less-wide), min(value, high), high}
}

const (
	// syncShare of a wait must be for the disk, without the time in which goroutines want a
	// processor, and syncLeast of all of it.
	syncShare = 0.5
	syncLeast = 0.25
)

// syncCut changes a cut whose wait, or whose lock's hold, ends in a sync of the
// disk. An answer that promises to be on disk waits for a sync after any fix: one
// that many share takes as long as one of its own, and comes after the one that is
// under way. What goes is the queue for syncs, and the CPU of those that are saved.
func (s cuts) syncCut(c *cut, f unpark.Finding) {
	c.synced = syncs(f.Site) || slices.ContainsFunc(f.Path, syncs) || f.Waiter != nil && s.endsInSync(f.Class, f.Waiter.Function)
	if !c.synced {
		return
	}
	var cpu float64
	for _, v := range s.m.Ev.Signals {
		if v.ID == facts.SignalFsync {
			cpu += v.CPU
		}
	}
	if c.queue && f.Class != unpark.ClassChannel { // who waits for a message waits for the sync itself
		// Whoever waits shares the next sync: of n one makes it, while one was under way.
		n, share := max(2, s.population), s.m.CPUShare(cpu)
		c.sync = span{0, share * (1 - 2/n), share * (1 - 1/n)}
		return
	}
	c.queue = false
	c.wait = span{0, 0.25 * c.wait.value, 0.6 * c.wait.high}
}

// endsInSync reports whether a function's requests wait for a disk, directly or through
// other goroutines, but for the time in which those want a processor.
func (s cuts) endsInSync(of unpark.Class, function string) bool {
	var classes []unpark.WaitClass
	if of == unpark.ClassLock {
		classes = []unpark.WaitClass{unpark.WaitLock}
	}
	synced, ready := s.m.Synced(classes, function)
	return synced >= max(syncLeast, syncShare*(1-ready))
}

// syncs reports whether a function is the call that waits for the disk.
func syncs(site unpark.Site) bool { return roles.Is(site.Function, roles.Sync) }

// wire reports whether a signal is a call on a socket.
func wire(id facts.SignalID) bool {
	return id == facts.SignalRead || id == facts.SignalWrite || id == facts.SignalAccept
}
