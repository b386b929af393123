package predict

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// latency is what a cut leaves of the response, in seconds.
type latency struct{ mean, p50, p99 span }

// ln100 is the 99th percentile of an exponential in units of its mean.
var ln100 = math.Log(100)

// median is that of an exponential in units of its mean.
const median = math.Ln2

// tailSlack widens the exponential bound: services on small machines showed a
// p99 of up to 5.2 times the residual mean after a lock was fixed.
const tailSlack = 1.15

// openLoop is a scene in which requests come at a rate that the service keeps up with.
type openLoop struct{ scene }

// queued returns the latency when a queue goes away in which a share of the
// requests waits. The waits of a queue near saturation spread like an
// exponential (the heavy-traffic limit), so its part of a percentile is known
// from its mean; what is left lies between constant and exponential.
func (s openLoop) queued(c cut) latency {
	rest := s.residual(c)
	r := s.load.Response
	var l latency
	l.mean = span{
		stats.Bound(s.mean-c.wait.high, rest.low, s.mean), rest.value,
		stats.Bound(s.mean-c.wait.low, rest.value, s.mean),
	}
	// A median shifts by less than the mean wait: half of the requests waited less.
	middle := waitAt(c, 0.50)
	middle.high = c.wait.high
	l.p50 = s.beside(r.P50, rest, middle, median, 1.05)
	l.p99 = s.beside(r.P99, rest, waitAt(c, 0.99), 1, ln100*tailSlack)
	return l
}

// beside bounds what is left of a percentile before, when the queue's own part
// of it was wait. Least and most are the percentile of a constant and of an
// exponential residual, in units of the mean.
func (s openLoop) beside(before float64, rest, wait span, least, most float64) span {
	floor := max(s.load.Response.Min, least*rest.low)
	low := stats.Bound(before-1.3*wait.high, min(floor, before), before)
	high := min(before, most*rest.high)
	// When the queue explains less than this part of the percentile, something
	// else makes it, and that stays.
	const explains = 0.6
	if wait.value < explains*(before-rest.value) {
		high = stats.Bound(before-0.5*wait.low, high, before)
	}
	if high <= low {
		return span{low, low, max(low, high)}
	}
	return span{low, math.Sqrt(low * high), high}
}

// waitAt returns the p-th percentile of a queue's waits: with a share q of the
// requests waiting and exponential waits of mean w/q, it is (w/q)·ln(q/(1−p)).
func waitAt(c cut, p float64) span {
	at := func(w, q float64) float64 {
		if q <= 1-p {
			return 0
		}
		return w / q * math.Log(q/(1-p))
	}
	q := c.waits
	if q <= 0 {
		// Unknown: all wait, for the least; a few wait long, for the most. The
		// largest over all q is at q = e(1−p): w/(e(1−p)).
		return span{at(c.wait.low, 1), at(c.wait.value, 1), c.wait.high / (math.E * (1 - p))}
	}
	return span{at(c.wait.low, q), at(c.wait.value, q), at(c.wait.high, q)}
}

// nearly is the part of the mean response below which what a wait leaves of it is
// the difference of two large numbers.
const nearly = 0.25

// residual estimates the mean response without the queue. Near saturation W−w
// is the difference of two large numbers, so it is joined by what requests took
// that met no queue, and by the CPU and the other waits of a request.
func (s scene) residual(c cut) span {
	direct := span{s.mean - c.wait.high, s.mean - c.wait.value, s.mean - c.wait.low}
	floor := max(s.shortest(c), s.cpu)
	if direct.low >= nearly*s.mean {
		return span{max(direct.low, floor), max(direct.value, floor), max(direct.high, floor)}
	}
	known := []float64{max(direct.value, floor)}
	if v, ok := s.unqueued(c); ok {
		known = append(known, max(v, floor))
	}
	if v := s.accounted(c); v > 0 {
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
func (s scene) shortest(c cut) float64 {
	if 1-s.occupied(c) < someFree {
		return 0
	}
	return s.load.Response.Min
}

// someFree is the share of arrivals below which those that find a lock free are a
// lucky few.
const someFree = 0.005

// occupied is the share of requests that find the lock held. Of two measurements,
// the lock held and requests that had to wait, the larger one is kept: a quantile
// too high would be of requests that queued.
func (s scene) occupied(c cut) float64 { return max(c.station.demand*s.rate, c.waits) }

// unqueued is the median response of the requests that met a free lock: with
// the lock held a share ρ of the time, 1−ρ of the arrivals find it free, and
// they are the fastest.
func (s scene) unqueued(c cut) (float64, bool) {
	held := s.occupied(c)
	b := s.load.Response.Buckets
	if held <= 0 || 1-held < someFree || len(b) == 0 {
		return 0, false
	}
	return quantile(b, (1-held)/2), true
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
func (s scene) accounted(c cut) float64 {
	sum := s.cpu
	for _, w := range s.m.Ev.Waits {
		if queues := w.Class == unpark.WaitLock || w.Class == unpark.WaitPool || w.Class.Joins(); !queues && w.Side == unpark.RequestPath && !w.Idle {
			v, _ := s.m.PerRequest(w.Delay).Get()
			sum += v
		}
	}
	return max(sum, c.station.demand)
}

// direct returns the latency when a wait goes away that requests have one by
// one, or CPU time. A wait of constant length moves every percentile by itself;
// one that spreads like the response scales it. The truth is between.
func (s openLoop) direct(c cut) latency {
	gain := s.saved(c)
	r := s.load.Response
	var l latency
	l.mean = span{s.mean - gain.high, s.mean - gain.value, s.mean - gain.low}
	percentile := func(before, spread float64) span {
		scaled := before * (1 - gain.value/s.mean)
		shifted := before - gain.value
		least := min(before*(1-min(1, gain.high/s.mean)), before-gain.high*spread)
		// The CPU of a request is left, whatever waits go.
		floor := min(before, max(s.cpu*(1-c.cpu.high), 0.02*before))
		value := stats.Bound((scaled+shifted)/2, floor, before)
		return span{
			low:   stats.Bound(least, floor, value),
			value: value,
			high:  stats.Bound(before-0.8*gain.low, value, before),
		}
	}
	l.p50 = percentile(r.P50, 1.2)
	l.p99 = percentile(r.P99, ln100)
	return l
}

// saved is the time that a cut takes from the mean response: its waits, and its
// CPU with the queue for processors that the CPU time was part of.
func (s openLoop) saved(c cut) span {
	before := s.cpuTime(0)
	most := 0.98 * s.mean
	return span{
		min(c.wait.low+before-s.cpuTime(c.cpu.low), most),
		min(c.wait.value+before-s.cpuTime(c.cpu.value), most),
		min(c.wait.high+before-s.cpuTime(c.cpu.high), most),
	}
}

// cpuTime is a request's time on and before the processors when a share of the
// target's CPU is gone: service 1/(1−ρ) for the part that queues.
func (s openLoop) cpuTime(gone float64) float64 {
	cpu := s.cpu * (1 - gone)
	if s.cores <= 0 {
		return cpu
	}
	m := max(1, s.cores)
	u := min(0.95, s.rate*(cpu+s.generator)/s.cores)
	return cpu * (1/(1-u)/m + (m-1)/m)
}
