package evidence

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// counted replaces the share of the window in which locks were seen held in a few
// dumps by one that rests on thousands of events, where the two agree. Requests come
// at a rate λ of a process, take the lock k times each and hold it for h, as traces
// show: it is held ρ = λkh of the time. Those that come find it held with the same
// probability (arrivals see time averages: Wolff, 1982; nearly so in a closed loop),
// so c = kρ of them wait. Together ρ² = λ·c·h, without k, which no profile has.
func counted(p *profiles, locks []facts.Lock, t *unpark.Tracing, requests unpark.Number) []facts.Lock {
	n, ok := requests.Get()
	if t == nil || !ok || n <= 0 || p.seconds <= 0 {
		return locks
	}
	dumps := float64(max(1, len(p.instants)*p.processes))
	rate := n / p.seconds / float64(p.processes)
	for i := range locks {
		l := &locks[i]
		seen, ok := l.Utilization.Get()
		h, holds := heldFor(t, *l)
		contended := contentions(locks, l.Holder)
		if !ok || l.Holder.IsZero() || holds < countedHolds || contended < countedWaits {
			continue
		}
		busy := min(1, math.Sqrt(rate*contended/n*h))
		share := min(1-leastHeld, max(leastHeld, busy))
		if by := dumpsDiffer * math.Sqrt(share*(1-share)/dumps); seen <= busy+by && seen >= (1-handedUnseen)*busy-by {
			l.Utilization, l.Counted = unpark.Num(busy), true
		}
	}
	return locks
}

// contentions sums the waits for all locks that are released at one place.
func contentions(locks []facts.Lock, holder unpark.Site) float64 {
	var sum float64
	for _, l := range locks {
		if l.Holder == holder {
			sum += l.Count
		}
	}
	return sum
}

// heldFor is the mean hold of a lock in traces, in seconds, and of how many.
func heldFor(t *unpark.Tracing, l facts.Lock) (mean float64, n int64) {
	var sum float64
	for _, e := range t.Edges {
		if e.Class == unpark.WaitLock && e.Hold != nil && e.Holder.Function == l.Holder.Function && e.Holder.Line == l.Holder.Line {
			sum += e.Hold.Mean * float64(e.Hold.N)
			n += e.Hold.N
		}
	}
	if n == 0 {
		return 0, 0
	}
	return sum / float64(n), n
}
