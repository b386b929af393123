package diagnose

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// eventsToName is the least number of recorded waits from which a place is named:
// of three that are all at one place, it has more than half of all with 90 %
// confidence (Wilson).
const eventsToName = 3

// Blocking sums what requests wait for one another, and names the place that has
// most of it, whatever its size; false when no block profile was recorded. First
// has no prediction and no rank yet.
func Blocking(ev facts.Evidence) (unpark.Blocking, bool) {
	r := read(ev)
	if !r.present(unpark.KindBlock) || sinceStart(ev, unpark.KindBlock) || r.seconds <= 0 {
		return unpark.Blocking{}, false
	}
	all := r.blockers()
	var delay, events float64
	most := -1
	for i, b := range all {
		delay += b.delay
		events += b.events
		if most < 0 || b.delay > all[most].delay {
			most = i
		}
	}
	cost := r.waitCost(delay, events)
	out := unpark.Blocking{Waiters: cost.MeanWaiters, PerRequest: cost.WaitPerRequest, Events: math.Round(events)}
	if most < 0 || events < eventsToName {
		return out, true
	}
	first := all[most]
	out.Share = proportion(first.delay/delay, events)
	f := first.finding()
	f.Share, f.ShareOf = out.Share.Value, "request-path waiting "+r.waitersFrom()
	out.First = &f
	if total := r.ev.CPU.Sampled.Or(0); first.holder && total > 0 {
		out.CPUShare = unpark.Num(min(1, first.cpu/total))
	}
	return out, true
}

// blocker is one place at which requests wait for another goroutine.
type blocker struct {
	delay, events float64
	holder        bool    // a holder is known
	cpu           float64 // s, of the holder's function
	finding       func() unpark.Finding
}

// blockers returns the contended locks and the joins on the request path.
func (r reading) blockers() []blocker {
	var out []blocker
	for _, q := range r.queuesOf(func(l facts.Lock) bool { return l.Type != "runtime" }) {
		b := blocker{
			delay: q.delay, events: r.recorded(q.delay, q.count), holder: !q.lock.Holder.IsZero(), cpu: q.lock.HolderCPU,
			finding: func() unpark.Finding { return r.lockFinding(q) },
		}
		// Short waits are sampled in the block profile and all there in a mutex
		// profile of every unlock: one that recorded far more knows better.
		if n := q.releases / max(1, r.rateOf(unpark.KindMutex)); n > 2*b.events {
			b.delay, b.events = q.released, n
		}
		out = append(out, b)
	}
	for _, p := range r.pauses(joins()...) {
		if !r.explained(p) && p.sources[blockFile] > 0 {
			out = append(out, blocker{
				delay: p.delay, events: p.seen,
				finding: func() unpark.Finding { return r.finding("channel", unpark.ClassChannel, p) },
			})
		}
	}
	return out
}

// recorded is how many events of the block profile stand behind count waits of
// delay seconds in all. A wait of d shorter than the rate r is recorded with
// probability d/r, and then charged as r/d waits of r in all
// (runtime/mprof.go, saveBlockEventStack): neither the count nor delay ÷ r
// can be smaller than the number of records.
func (r reading) recorded(delay, count float64) float64 {
	if rate := r.rateOf(unpark.KindBlock) * 1e-9; rate > 0 {
		return min(count, delay/rate)
	}
	return count
}

// rateOf is the sampling rate of a kind, in its own unit; 0 when it is not known.
func (r reading) rateOf(k unpark.Kind) float64 {
	rate := 0.0
	for _, f := range r.ev.Window.Profiles {
		if f.Kind == k && f.State == unpark.Present {
			rate = max(rate, f.Rate.Or(0))
		}
	}
	return rate
}

// proportion is a share among n events with its Wilson interval of 90 %.
func proportion(p, n float64) unpark.Quantity {
	z2 := z90 * z90
	middle := (p + z2/(2*n)) / (1 + z2/n)
	half := z90 / (1 + z2/n) * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	return unpark.Between(p, min(p, max(0, middle-half)), max(p, min(1, middle+half)), "ratio", int64(math.Round(n)))
}
