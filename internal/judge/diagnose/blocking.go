package diagnose

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
)

// Blocking sums what requests wait for one another, and names the place that has
// most of it, whatever its size; false when no block profile was recorded. First
// has no prediction and no rank yet.
func Blocking(m *model.Model) (unpark.Blocking, bool) {
	if !m.Present(unpark.KindBlock) || sinceStart(m.Ev, unpark.KindBlock) || m.Seconds <= 0 {
		return unpark.Blocking{}, false
	}
	all := blockers(m)
	var delay, events float64
	most := -1
	for i, b := range all {
		delay += b.delay
		events += b.events
		if most < 0 || b.delay > all[most].delay {
			most = i
		}
	}
	cost := m.WaitCost(delay, events)
	out := unpark.Blocking{Waiters: cost.MeanWaiters, PerRequest: cost.WaitPerRequest, Events: math.Round(events)}
	if most < 0 || events < eventsToName {
		return out, true
	}
	first := all[most]
	out.Share = proportion(first.delay/delay, events)
	f := first.finding()
	f.Share, f.ShareOf = out.Share.Value, "request-path waiting "+waitersFrom(m)
	out.First = &f
	if total := m.Ev.CPU.Sampled.Or(0); first.holder && total > 0 {
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

// blockers returns the contended locks, the joins and the waits for a place in a pool on the request path.
func blockers(m *model.Model) []blocker {
	var out []blocker
	for _, q := range m.Contended {
		b := blocker{
			delay: q.Delay, events: m.Recorded(q.Delay, q.Count), holder: !q.Heaviest.Holder.IsZero(), cpu: q.Heaviest.HolderCPU,
			finding: func() unpark.Finding { return lockFinding(m, q) },
		}
		// Short waits are sampled in the block profile and all there in a mutex
		// profile of every unlock: one that recorded far more knows better.
		if n := q.Releases * m.Ev.Window.Part(unpark.KindMutex) / max(1, m.RateOf(unpark.KindMutex)); n > moreRecorded*b.events {
			b.delay, b.events = q.Released, n
		}
		out = append(out, b)
	}
	for _, p := range m.Pool {
		if !p.Loops && !forOpening(p) && p.Sources[unpark.KindBlock.File()] > 0 {
			out = append(out, blocker{
				delay: p.Delay, events: p.Seen,
				finding: func() unpark.Finding { return poolFinding(m, p) },
			})
		}
	}
	for _, p := range m.Joins {
		if !p.Explained && p.Sources[unpark.KindBlock.File()] > 0 {
			out = append(out, blocker{
				delay: p.Delay, events: p.Seen,
				finding: func() unpark.Finding { return finding(m, "channel", unpark.ClassChannel, p) },
			})
		}
	}
	return out
}

// proportion is a share among n events with its Wilson interval of 90 %.
func proportion(p, n float64) unpark.Quantity {
	low, high := stats.Binomial(p*n, n)
	return unpark.Between(p, min(p, low), max(p, high), "ratio", int64(math.Round(n)))
}
