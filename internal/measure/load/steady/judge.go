package steady

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// Judge says how well the p99 of the window's load is known, and what the reader must know
// where that is less than was asked for. ticks are those of the window.
func (s Settled) Judge(l unpark.Load, ticks []unpark.Tick) (*unpark.Precision, []unpark.Notice) {
	p := &unpark.Precision{Asked: s.Within, Steady: s.Steady, Settled: s.Took, Inflation: s.last.inflation()}
	p.P99 = Interval(l.Response, p.Inflation)
	p.P99.Unit = "s"
	p.Reached = half(p.P99)
	var notices []unpark.Notice
	if l.Response.N == 0 {
		return p, nil // what Judge of package load says comes first
	}
	switch moved := movedIn(ticks, s.Within); {
	case !s.Steady:
		notices = append(notices, unpark.Notice{
			Code:    "not-steady",
			Message: fmt.Sprintf("the response did not become steady: after %s of load its median or p99 still had a trend, so the p99 of the window is that of this window only", units.Figure(s.Took, "s")),
			Cure:    "a longer --warmup, or look for what changes in the timeline: a cache that fills, a heap or a queue that grows",
		})
	case moved:
		notices = append(notices, unpark.Notice{
			Code:    "not-steady",
			Message: "the response had a trend within the window: its p99 is that of this window only",
			Cure:    "a longer --warmup, or look for what changes in the timeline: a cache that fills, a heap or a queue that grows",
		})
	}
	if reached, ok := p.Reached.Get(); !ok || reached > s.Within {
		notices = append(notices, s.missed(p.Reached, l))
	}
	return p, notices
}

func (s Settled) missed(reached unpark.Number, l unpark.Load) unpark.Notice {
	n := unpark.Notice{Code: "p99-within", Message: fmt.Sprintf("the p99 of %s has no 90 %% interval: too few are slower", unpark.Counted(l.Response.N, "answer"))}
	if v, ok := reached.Get(); ok {
		n.Message = fmt.Sprintf("the p99 is known within %s, not within the %s that were asked for", units.Percent(v), units.Percent(s.Within))
	}
	switch {
	case s.Needed == 0:
		n.Message += fmt.Sprintf("; at %s no window of a day would do", units.Figure(s.answers, "answers/s"))
		n.Cure = "more load, or a wider --p99-within"
	case s.Needed > s.Window:
		n.Cure = fmt.Sprintf("name the window that it takes: -d %ds", int(s.Needed))
	default:
		// The blocks before the window promised more than it held.
		n.Cure = fmt.Sprintf("a longer window: -d %ds", int(max(2*l.Seconds, s.Window)))
	}
	return n
}

// movedIn reports whether median or p99 had a trend over a window of several seconds.
func movedIn(ticks []unpark.Tick, within float64) bool {
	var median, tail []float64
	for _, t := range ticks {
		if t.Phase == "window" && t.RPS > 0 {
			median, tail = append(median, t.P50), append(tail, t.P99)
		}
	}
	if len(median) < blocks {
		return false
	}
	return trend(median, within) || trend(tail, within)
}
