package predict

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts/sampled"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
)

// resampled is what is left of the requests that traces show when each loses its own part of what a fix takes.
// How waits and work are spread, and which requests have both, is then measured and not assumed.
type resampled struct {
	o      openLoop
	all    []sampled.Request
	in     requestTimes // means
	beside bool         // what goes is computed, and not by requests: they wait for it
}

// requestTimes is what a fix may take from a request, in seconds.
type requestTimes struct {
	wall, running, ready float64
	own                  float64 // the wait that goes
	kin                  float64 // that, and others that may be behind the same
}

// resampledOf returns the requests of traces where they are enough, and have the wait that goes: a wait that is
// mostly elsewhere is not theirs.
func resampledOf(o openLoop) (resampled, bool) {
	d := resampled{o: o, all: o.m.Ev.Drawn}
	if o.cut.synced { // of a wait for a sync some stays, and which requests keep it is not known
		return d, false
	}
	if len(d.all) < enoughDrawn || o.Response.P99 <= 0 || o.cut.wait.value <= 0 && o.cut.cpu.value <= 0 {
		return d, false
	}
	for _, r := range d.all {
		t := d.times(r)
		d.in.wall += t.wall / float64(len(d.all))
		d.in.own += t.own / float64(len(d.all))
		d.in.running += t.running / float64(len(d.all))
	}
	d.beside = o.cut.cpu.value*o.cpu > elsewhereComputed*d.in.running
	return d, o.cut.wait.value <= 0 || d.in.own*o.mean >= model.BindingShare*o.cut.whole*d.in.wall
}

func (d resampled) times(r sampled.Request) requestTimes {
	t := requestTimes{wall: r.Wall, running: r.In([]unpark.WaitClass{unpark.Running}), ready: r.In([]unpark.WaitClass{unpark.WaitScheduler, unpark.WaitGC})}
	if len(d.o.cut.at) > 0 {
		t.own = r.In(d.o.cut.states, d.o.cut.at...)
		t.kin = t.own
		if slices.Contains(d.o.cut.states, unpark.WaitDownstream) || slices.Contains(d.o.cut.states, unpark.WaitSyscall) {
			// What another service, or a disk, does for some requests keeps the others waiting for it, wherever they ask.
			t.kin = r.In(d.o.cut.states)
		}
	}
	return t
}

// quantile is what is left of a percentile of the responses, in seconds. A function's time is spread over requests
// as their time on a processor is, for the most that is left, or it is what makes the longest of them long,
// for the least.
func (d resampled) quantile(q, before float64) span {
	cut := d.o.cut
	q = d.behindThose(q, before)
	alike := func(part, cpu float64) []float64 {
		keep := d.queued(cpu)
		return d.left(func(t requestTimes) float64 { return part*t.own + cpu*t.running + (1-keep)*t.ready })
	}
	longest := func(part, cpu, keep float64, of func(requestTimes) float64) []float64 {
		most := d.limit(cpu)
		return d.left(func(t requestTimes) float64 {
			return part*of(t) + max(0, t.running-most) + (1-keep)*t.ready
		})
	}
	ready := 1.0
	if cut.cpu.high > 0 || d.elsewhere() {
		ready = 0 // what it computes is what keeps others waiting for a processor
	}
	own, kin := func(t requestTimes) float64 { return t.own }, func(t requestTimes) float64 { return t.kin }
	middle := math.Sqrt(stats.Quantile(alike(cut.part.value, cut.cpu.value), q) * stats.Quantile(longest(cut.part.value, cut.cpu.value, d.queued(cut.cpu.value), own), q))
	n := float64(len(d.all))
	least, most := stats.Binomial((1-q)*n, n)
	left := span{stats.Quantile(longest(cut.part.high, cut.cpu.high, ready, kin), 1-most), middle, stats.Quantile(alike(cut.part.low, cut.cpu.low), 1-least)}
	return d.outside(left, q, before).scattered(math.Hypot(d.chance(q), differ99))
}

// behindThose is the rank of the requests that a percentile of the responses queues for: where most of it is spent before a connection is
// free, it is as long as those take that have one, which are fewer. By their rank what goes of them goes of the queue as well.
func (d resampled) behindThose(q, before float64) float64 {
	served := d.o.Load.Service
	if len(served.Buckets) == 0 || quantile(served.Buckets, q) > before/2 {
		return q
	}
	longer := 0
	for _, r := range d.all {
		if r.Wall >= before {
			longer++
		}
	}
	if longer == 0 { // the traces have none of them
		return q
	}
	return max(q, 1-float64(longer)/float64(2*len(d.all))) // the middle one of them
}

// behind is the least that is left of a percentile where something beside requests computes: they may wait for
// it in any lock or channel, and for a processor.
func (d resampled) behind(q float64) float64 {
	n := float64(len(d.all))
	_, most := stats.Binomial((1-q)*n, n)
	waits := []unpark.WaitClass{
		unpark.WaitLock, unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitGroup, unpark.WaitScheduler, unpark.WaitGC, unpark.WaitGCAssist,
	}
	left := make([]float64, len(d.all))
	for i, r := range d.all {
		left[i] = max(0, r.Wall-r.In(waits))
	}
	return stats.Quantile(left, 1-most)
}

// left is what is left of each request, in seconds.
func (d resampled) left(gone func(requestTimes) float64) []float64 {
	out := make([]float64, len(d.all))
	for i, r := range d.all {
		out[i] = max(0, r.Wall-gone(d.times(r)))
	}
	return out
}

// limit is the time on a processor to which the longest are cut when a part of all of it goes.
func (d resampled) limit(part float64) float64 {
	ran := make([]float64, len(d.all))
	var all float64
	for i, r := range d.all {
		ran[i] = d.times(r).running
		all += ran[i]
	}
	slices.Sort(ran)
	slices.Reverse(ran)
	goes, above := part*all, 0.0
	for i, v := range ran {
		above += v
		next := 0.0
		if i+1 < len(ran) {
			next = ran[i+1]
		}
		if above-float64(i+1)*next >= goes { // cut to the next one, those so far lose as much
			return (above - goes) / float64(i+1)
		}
	}
	return 0
}

// queued is the part of the time before the processors that stays when a share of the CPU goes.
func (d resampled) queued(gone float64) float64 {
	wait := func(gone float64) float64 { return d.o.spent(gone, d.o.rate) - d.o.cpu*(1-gone) }
	if now := wait(0); now > 0 && gone > 0 {
		return stats.Bound(wait(gone)/now, 0, 1)
	}
	return 1
}

// elsewhere reports whether a lock is held for longer than requests take beside their wait for it: others hold
// it, that are no requests, and what they compute may go with the wait.
func (d resampled) elsewhere() bool {
	return d.o.cut.queue && d.o.cut.station.demand > d.in.wall-d.in.own
}

// outside adds what a response of the window is longer by than a request of the traces: time outside of the process (the network,
// the generator, the queue for processors), or a queue inside that was longer in the window than in the traces. It may stay as it
// is, go down with the rest, or go with what was queued for. Outside it is what the fastest response has beside the fastest
// request, and the queue for processors, which spreads as an exponential: once in the middle, twice at most.
func (d resampled) outside(left span, q, before float64) span {
	walls := d.left(func(requestTimes) float64 { return 0 })
	wall := stats.Quantile(walls, q)
	if wall <= 0 {
		return left
	}
	by, beside, least := before/wall, max(0, before-wall), min(d.o.Response.Min, before)
	if by <= 1 {
		left = left.times(by)
		return span{max(left.low, least), max(left.value, least), max(left.high, least)}
	}
	fastest := max(0, least-slices.Min(walls))
	queued := -math.Log(1-q) * (d.o.spent(0, d.o.rate) - d.o.cpu)
	likely, most := min(beside, fastest+queued), min(beside, fastest+2*queued)
	low := max(left.low, least) // the fastest of the window need not be among the traced
	return span{low, max(low, math.Sqrt((left.value+likely)*left.value*by)), max(low, left.high+most, left.high*by)}
}

// chance is how far a percentile of as many responses as were measured is off by chance, as a logarithm: by the
// ranks between which it lies (order statistics).
func (d resampled) chance(q float64) float64 {
	r := d.o.Response
	if len(r.Buckets) == 0 || r.N == 0 {
		return 0
	}
	least, most := stats.Binomial((1-q)*float64(r.N), float64(r.N))
	low, at, high := quantile(r.Buckets, 1-most), quantile(r.Buckets, q), quantile(r.Buckets, 1-least)
	if low <= 0 || at <= 0 {
		return 0
	}
	return max(math.Log(at/low), math.Log(high/at))
}
