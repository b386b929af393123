package report

import "github.com/unpark-go/unpark"

// blockingParts says how much requests wait for one another, where, and what
// that is worth: the answer to "but the block profile says 98 %". Where the load
// sets the throughput, what it is worth is told in p99.
func blockingParts(b *unpark.Blocking, l *unpark.Load) []string {
	if b == nil || !b.Waiters.Known() {
		return nil
	}
	// Below that the figure is the chance of a few recorded waits.
	const hardly = 0.001
	size := number(b.Waiters.Value, "count") + " mean waiters"
	if v := b.Waiters.Value.Or(0); v > 0 && v < hardly {
		size = "under 0.001 mean waiters"
	} else if v, ok := b.PerRequest.Value.Get(); ok && v > 0 {
		size += ", " + figure(v, "s") + " a request"
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
	place := percent(b.Share.Value.Or(0)) + " of it for the " + prose(string(f.Class)) + " in " + siteText(at, 60)
	if v, ok := b.CPUShare.Get(); ok {
		place += " (" + percent(v) + " of the CPU)"
	}
	out = append(out, place)
	if p99 := f.Prediction.P99; l != nil && l.Mode.Open() && p99.Known() {
		return append(out, "without it p99 "+times(p99))
	}
	if t := f.Prediction.Throughput; t.Known() {
		out = append(out, "without it throughput "+changed(t))
	}
	return out
}
