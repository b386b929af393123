package report

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// crowded is how many times the requests in flight may wait before that is said: both
// are means that are known to a few percent.
const crowded = 1.05

// crowdWhy is how more can wait than there are requests.
const crowdWhy = "several goroutines of one request wait at once, or waits began before the window"

// crowd explains mean waiters above the number of requests in flight, which is the
// throughput times how long a request is with the target (Little's law); "" where there
// is nothing to explain. A profile has a wait when it ends, also the part of it that was
// before the window: where a queue shrinks that adds up to more than there are requests.
func crowd(waiters unpark.Quantity, l *unpark.Load) string {
	v, ok := waiters.Value.Get()
	if !ok || l == nil || l.Service.N == 0 {
		return ""
	}
	flight := l.AnsweredRPS() * l.Service.Mean
	if flight <= 0 || v <= crowded*flight {
		return ""
	}
	return units.Say(v/flight, "") + " for each of the " + units.Say(flight, "") + " requests in flight: " + crowdWhy
}

// blockingParts says how much requests wait for one another, where, and what
// that is worth: the answer to "but the block profile says 98 %". Where the load
// sets the throughput, what it is worth is given as p99.
func blockingParts(b *unpark.Blocking, l *unpark.Load) []string {
	if b == nil || !b.Waiters.Known() {
		return nil
	}
	// Below that the figure is the chance of a few recorded waits.
	const hardly = 0.001
	size := units.Number(b.Waiters.Value, "count") + " mean waiters"
	if v, ok := b.PerRequest.Value.Get(); ok && v > 0 && b.Waiters.Value.Or(0) >= hardly {
		size += ", " + units.Figure(v, "s") + " a request"
	}
	if text := crowd(b.Waiters, l); text != "" {
		size += " (" + text + ")"
	}
	out := []string{size}
	if b.First == nil {
		if b.Events > 0 {
			out = append(out, many(int64(b.Events), "wait")+" recorded, too few to say where")
		}
		return out
	}
	f := b.First
	at := f.Site
	if f.Waiter != nil {
		at = *f.Waiter
	}
	place := units.Percent(b.Share.Value.Or(0)) + " of it for the " + escape.Prose(string(f.Class)) + " in " + siteText(at, 60)
	if v, ok := b.CPUShare.Get(); ok {
		place += " (" + units.Percent(v) + " of the CPU)"
	}
	out = append(out, place)
	if p99 := f.Prediction.P99; l != nil && l.Mode.Open() && (p99.Known() || p99.High.Known()) {
		return append(out, "without it p99 "+factor(p99))
	}
	switch t := f.Prediction.Throughput; {
	case t.Known():
		out = append(out, "without it throughput "+units.Changed(t))
	case t.Low.Or(0) > 1+unpark.LeastGain:
		out = append(out, "without it throughput "+factor(t))
	}
	return out
}
