package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

const (
	// leastStretch is how many seconds of the timeline a service must be behind: one may
	// be a pause.
	leastStretch = 2
	// slower is how much longer responses must get when a service falls behind. Requests
	// that are not answered wait, so a shortfall without a queue is a rounding of counts.
	slower = 2
)

// stretch is the part of a window in which a rising load was more than the service took.
type stretch struct {
	from, to          float64 // s since the load began
	offered, achieved float64 // req/s
	cores, generator  unpark.Number
}

// String says what the mean of the window hides.
func (s stretch) String() string {
	return fmt.Sprintf("%s after the load began the service fell behind the ramp, which the window's mean hides: from then on it answered %s of %s",
		units.Say(math.Round(s.from), "s"), units.Say(s.achieved, "req/s"), units.Say(s.offered, "req/s"))
}

// due is how many requests a ramp intends within t seconds since it began: the first
// rate is held through the warm-up, the last after the end.
func due(p unpark.Plan, t float64) float64 {
	if len(p.Stages) == 0 || t <= 0 {
		return 0
	}
	first, last := p.Stages[0].From, p.Stages[len(p.Stages)-1].To
	n := first * min(t, p.Warmup)
	t -= p.Warmup
	for _, s := range p.Stages {
		if t <= 0 || s.Duration <= 0 {
			continue
		}
		x := min(t, s.Duration)
		n += s.From*x + (s.To-s.From)*x*x/(2*s.Duration)
		t -= s.Duration
	}
	return n + last*max(0, t)
}

// second is one interval of the window's timeline beside what the plan wanted of it.
type second struct {
	tick   unpark.Tick
	length float64
	due    float64 // requests
}

// missing is how many answers fewer than the least that keeping up takes.
func (s second) missing() float64 { return unpark.EnoughAnswered*s.due - s.tick.RPS*s.length }

// timeline is the seconds of the window itself.
func (r reading) timeline() []second {
	var out []second
	before := 0.0
	for _, t := range r.ev.Window.Timeline {
		if t.Phase == "window" && t.At > before {
			out = append(out, second{t, t.At - before, due(r.ev.Plan, t.At) - due(r.ev.Plan, before)})
		}
		before = t.At
	}
	return out
}

// fellBehind finds the stretch of a ramp in which answers fell behind the plan: the one
// that misses most. False where the service kept up.
func (r reading) fellBehind() (stretch, bool) {
	if r.load == nil || r.ev.Plan.Mode != unpark.Ramp {
		return stretch{}, false
	}
	all := r.timeline()
	from, to := worst(all)
	if to-from < leastStretch {
		return stretch{}, false
	}
	if from > 0 && typical(all[from:to]) < slower*typical(all[:from]) {
		return stretch{}, false
	}
	return sumUp(all[from:to]), true
}

// worst is the run of seconds that misses most requests.
func worst(all []second) (from, to int) {
	var most, sum float64
	start := 0
	for i, s := range all {
		if sum <= 0 {
			sum, start = 0, i
		}
		if sum += s.missing(); sum > most {
			most, from, to = sum, start, i+1
		}
	}
	return from, to
}

func sumUp(all []second) stretch {
	var intended, answered, length float64
	cores, generator := mean{}, mean{}
	for _, x := range all {
		intended += x.due
		answered += x.tick.RPS * x.length
		length += x.length
		cores.add(x.tick.Cores, x.length)
		generator.add(x.tick.Generator, x.length)
	}
	return stretch{
		from: all[0].tick.At - all[0].length, to: all[len(all)-1].tick.At,
		offered: intended / length, achieved: answered / length, cores: cores.number(), generator: generator.number(),
	}
}

// mean is a mean over time of what is known.
type mean struct{ sum, length float64 }

func (m *mean) add(n unpark.Number, length float64) {
	if v, ok := n.Get(); ok {
		m.sum += v * length
		m.length += length
	}
}

func (m mean) number() unpark.Number { return unpark.Ratio(m.sum, m.length) }

// typical is the median of the seconds' median responses.
func typical(all []second) float64 {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b second) int { return cmp.Compare(a.tick.P50, b.tick.P50) })
	return sorted[len(sorted)/2].tick.P50
}

// during is the reading of a stretch. Cores and rates are those of its seconds; what
// others use of the machine is taken to be the same all the time, and waits, which no
// timeline has, are the whole window's.
func (r reading) during(s stretch) reading {
	load := *r.load
	others := r.ev.Window.Machine.Busy.Or(0) - r.cores.Or(0) - load.GeneratorCPU.Or(0)
	load.OfferedRPS, load.AchievedRPS, load.GeneratorCPU = s.offered, s.achieved, s.generator
	r.load, r.rps, r.stretch = &load, s.achieved, &s
	r.ev.Window.Load = &load
	own := 1.0
	if c := r.cores.Or(0); c > 0 {
		own = r.service.Or(c) / c
	}
	r.cores, r.service = s.cores, unpark.Number{}
	if c, ok := s.cores.Get(); ok {
		r.service = unpark.Num(c * own)
		if r.ev.Window.Machine.Busy.Known() {
			busy := min(float64(r.ev.MachineCores()), max(0, others)+c+s.generator.Or(0))
			r.ev.Window.Machine.Busy = unpark.Num(busy)
			r.machine = unpark.Ratio(busy, float64(r.ev.MachineCores()))
		}
	}
	r.setUsed()
	return r
}
