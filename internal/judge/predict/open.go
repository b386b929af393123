package predict

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
	"github.com/unpark-go/unpark/internal/units"
)

// openLoop forecasts a change of a service that answers what is offered: by simulation of
// the candidates that may be it, or, where there are none, by bounds.
type openLoop struct {
	change
	near []candidate
}

func openLoopOf(c change) openLoop { return openLoop{c, candidates(c)} }

func (o openLoop) forecast(f unpark.Finding) unpark.Prediction {
	l := o.latency()
	p := unpark.Prediction{
		Throughput: o.offered(),
		P50:        o.ratio(l.p50, o.Response.P50),
		P99:        o.ratio(l.p99, o.Response.P99),
		NextLimit:  o.next(1, l.mean.value),
	}
	p.Assumptions = append(p.Assumptions, "the offered rate stays, and is below saturation: throughput is what is offered")
	if d, ok := resampledOf(o); ok && !d.beside {
		p.Assumptions = append(p.Assumptions, fmt.Sprintf("percentiles are those of %d requests of traces, each without its own part of what goes", len(d.all)))
	} else if o.cut.queue {
		p.Assumptions = append(p.Assumptions, "without the queue a request takes "+units.Say(l.mean.value, "s")+
			"; its p99 lies between that (constant) and 4.6 times it (exponential)")
	}
	p.Assumptions = append(p.Assumptions, o.assumed(f, 1)...)
	p.Summary = o.summary(l, p.NextLimit)
	p.CPUSaved = o.cpuSaved(1)
	o.alternatives(&p, f, o.part, o.lockFixes)
	return p
}

// latency is what a cut leaves of the response, in seconds.
type latency struct{ mean, p50, p99 span }

// ln100 is the 99th percentile of an exponential in units of its mean.
var ln100 = math.Log(100)

// median is that of an exponential in units of its mean.
const median = math.Ln2

// latency returns what is left.
func (o openLoop) latency() latency {
	var l latency
	switch {
	case len(o.near) > 0:
		l = o.simulated(o.fixes)
	case o.cut.queue:
		l = o.queued()
	default:
		l = o.direct()
	}
	d, ok := resampledOf(o)
	theirs := o.cut.queue && o.cut.wait.value > 0 // what is computed beside them, they wait for in that queue
	if ok && (!d.beside || theirs) {
		l.p50, l.p99 = d.quantile(0.5, o.Response.P50), d.quantile(0.99, o.Response.P99)
	} else if !o.cut.queue {
		l.p99 = o.traced(l.p99)
	}
	if ok && d.beside {
		l.p50.low, l.p99.low = min(l.p50.low, d.behind(0.5)), min(l.p99.low, d.behind(d.behindThose(0.99, o.Response.P99)))
	}
	return l
}

// traced is the p99 that a fix leaves, by what traces say of the slowest requests: those whose
// wait it takes are as fast as the others, and those that wait for something else are as slow
// as before. A fix of CPU may take calls with it, so that only the value and the upper end are moved.
func (o openLoop) traced(p99 span) span {
	before := o.Response.P99
	switch {
	case o.cut.tail > 0:
		v := o.tailStays() * before
		return span{min(p99.low, v/tailLess, o.Response.P90/unlike), min(p99.value, v), stats.Bound(v*tailMore, min(p99.value, v), max(p99.high, v))}
	case o.cut.wait.value <= 0 && o.cut.cpu.value > 0:
		v := min(before, o.tailAway()*before)
		return span{p99.low, max(p99.value, v), max(p99.high, v)}
	}
	return p99
}

// tailAway is the part of the time of the slowest requests in which they are in system calls or
// wait for another process, by traces, more than the others.
func (o openLoop) tailAway() float64 {
	t := o.m.Ev.Tracing
	if t == nil || t.Tail.N == 0 || t.Tail.Mean <= 0 {
		return 0
	}
	e := o.m.Ev.Excess([]unpark.WaitClass{unpark.WaitSyscall, unpark.WaitNetwork, unpark.WaitDownstream})
	if e.More.Low.Or(0) <= 0 || e.Share.Or(0) < model.BindingShare {
		return 0
	}
	return min(1, e.Tail/t.Tail.Mean)
}

// queued returns the latency when a queue goes away in which a share of the
// requests waits. The waits of a queue near saturation spread like an
// exponential (the heavy-traffic limit), so its part of a percentile is known
// from its mean; what is left lies between constant and exponential.
func (o openLoop) queued() latency {
	rest, wait := o.residual(), o.cut.wait
	var l latency
	l.mean = span{
		stats.Bound(o.mean-wait.high, rest.low, o.mean), rest.value,
		stats.Bound(o.mean-wait.low, rest.value, o.mean),
	}
	// A median shifts by less than the mean wait: half of the requests waited less.
	middle := o.cut.waitAt(0.50)
	middle.high = wait.high
	l.p50 = o.beside(o.Response.P50, rest, middle, median, 1.05)
	l.p99 = o.beside(o.Response.P99, rest, o.cut.waitAt(0.99), 1, ln100*tailSlack)
	return l
}

// beside bounds what is left of a percentile before, when the queue's own part
// of it was wait. Least and most are the percentile of a constant and of an
// exponential residual, in units of the mean.
func (o openLoop) beside(before float64, rest, wait span, least, most float64) span {
	floor := max(o.Response.Min, least*rest.low)
	low := stats.Bound(before-1.3*wait.high, min(floor, before), before)
	high := min(before, most*rest.high)
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
func (c cut) waitAt(p float64) span {
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

// direct returns the latency when a wait goes away that requests have one by
// one, or CPU time. A wait of constant length moves every percentile by itself;
// one that spreads like the response scales it. The truth is between.
func (o openLoop) direct() latency {
	gain := o.saved()
	var l latency
	l.mean = span{o.mean - gain.high, o.mean - gain.value, o.mean - gain.low}
	percentile := func(before, spread float64) span {
		scaled := before * (1 - gain.value/o.mean)
		shifted := before - gain.value
		least := min(before*(1-min(1, gain.high/o.mean)), before-gain.high*spread)
		// The CPU of a request is left, whatever waits go.
		floor := min(before, max(o.cpu*(1-o.cut.cpu.high), 0.02*before))
		value := stats.Bound((scaled+shifted)/2, floor, before)
		return span{
			low:   stats.Bound(least, floor, value),
			value: value,
			high:  stats.Bound(before-replaced*gain.low, value, before),
		}
	}
	l.p50 = percentile(o.Response.P50, 1.2)
	l.p99 = percentile(o.Response.P99, ln100)
	return l
}

// saved is the time that a cut takes from the mean response: its waits, and its
// CPU with the queue for processors that the CPU time was part of.
func (o openLoop) saved() span {
	before := o.spent(0, o.rate)
	less := func(wait, cpu float64) float64 { return wait + before - o.spent(cpu, o.rate) }
	w, cpu := o.cut.wait, o.cut.cpu
	return span{less(w.low, cpu.low), less(w.value, cpu.value), less(w.high, cpu.high)}.atMost(0.98 * o.mean)
}
