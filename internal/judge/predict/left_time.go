package predict

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// residual estimates the mean response without the queue. Near saturation W−w
// is the difference of two large numbers, so it is joined by what requests took
// that met no queue, and by the CPU and the other waits of a request.
func (c change) residual() span {
	direct := span{c.mean - c.cut.wait.high, c.mean - c.cut.wait.value, c.mean - c.cut.wait.low}
	floor := max(c.shortest(), c.cpu)
	if direct.low >= nearly*c.mean {
		return span{max(direct.low, floor), max(direct.value, floor), max(direct.high, floor)}
	}
	known := []float64{max(direct.value, floor)}
	if v, ok := c.unqueued(); ok {
		known = append(known, max(v, floor))
	}
	if v := c.accounted(); v > 0 {
		known = append(known, max(v, floor))
	}
	point := stats.Quantile(known, 0.5)
	return span{
		max(floor, 0.85*stats.Quantile(known, 0)), point,
		stats.Bound(1.15*stats.Quantile(known, 1), point, 3*point),
	}
}

// shortest is a response that met no queue, or 0 when hardly any did: with so many
// waiting even the shortest response holds a wait.
func (c change) shortest() float64 {
	if 1-c.occupied() < someFree || !c.free(c.took.Min) {
		return 0
	}
	return c.took.Min
}

// free reports whether a response that is among the shortest can have met no queue: it takes no longer than a request does on average
// but for its wait. Where a loop is closed, and each waits for all others in turn, none does, however often the lock is let go.
func (c change) free(response float64) bool { return response <= c.mean-c.cut.wait.low }

// occupied is the share of requests that find the lock held. Of two measurements,
// the lock held and requests that had to wait, the larger one is kept: a quantile
// too high would be of requests that queued.
func (c change) occupied() float64 { return max(c.cut.station.demand*c.rate, c.cut.waits) }

// unqueued is the median response of the requests that met a free lock: with
// the lock held a share ρ of the time, 1−ρ of the arrivals find it free, and
// they are the fastest.
func (c change) unqueued() (float64, bool) {
	held := c.occupied()
	b := c.took.Buckets
	if held <= 0 || 1-held < someFree || len(b) == 0 {
		return 0, false
	}
	v := quantile(b, (1-held)/2)
	return v, c.free(v)
}

// quantile returns the upper bound of the bucket that holds the p-quantile.
func quantile(buckets []unpark.Bucket, p float64) float64 {
	var total, seen int64
	for _, b := range buckets {
		total += b.Count
	}
	for _, b := range buckets {
		seen += b.Count
		if float64(seen) >= p*float64(total) {
			return b.Le
		}
	}
	return 0
}

// accounted sums the CPU and the waits of a request but for queues: the least
// that it takes.
func (c change) accounted() float64 {
	waits := c.waits(func(class unpark.WaitClass) bool {
		return class != unpark.WaitLock && class != unpark.WaitPool && !class.Joins()
	})
	return max(c.cpu+waits, c.cut.station.demand)
}
