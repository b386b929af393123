package model

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
)

// Stretch is the part of a window in which a rising load was more than the service took.
type Stretch struct {
	From, To          float64 // s since the load began
	Offered, Achieved float64 // req/s
	Cores, Generator  unpark.Number
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

// timeline is the seconds of the window itself, and those after it, in which the load
// stays at the last rate of the ramp.
func timeline(m *Model) (window, after []second) {
	before := 0.0
	for _, t := range m.Ev.Window.Timeline {
		s := second{t, t.At - before, due(m.Ev.Plan, t.At) - due(m.Ev.Plan, before)}
		switch {
		case s.length <= 0:
		case t.Phase == "window":
			window = append(window, s)
		case len(window) > 0:
			after = append(after, s)
		}
		before = t.At
	}
	return window, after
}

// FellBehind finds the stretch of a ramp in which answers fell behind the plan: the one
// that misses most. False where the service kept up.
func (m *Model) FellBehind() (Stretch, bool) {
	if m.Load == nil || m.Ev.Plan.Mode != unpark.Ramp {
		return Stretch{}, false
	}
	all, after := timeline(m)
	from, to := worst(all)
	length := to - from
	if to == len(all) && to > 0 {
		// What goes on after the window is not a pause at its end.
		length += slices.IndexFunc(append(after, second{}), func(s second) bool { return s.missing() <= 0 })
	}
	if length < leastStretch {
		return Stretch{}, false
	}
	if from > 0 && typical(all[from:to]) < slower*typical(all[:from]) {
		return Stretch{}, false
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

func sumUp(all []second) Stretch {
	var intended, answered, length float64
	cores, generator := mean{}, mean{}
	for _, x := range all {
		intended += x.due
		answered += x.tick.RPS * x.length
		length += x.length
		cores.add(x.tick.Cores, x.length)
		generator.add(x.tick.Generator, x.length)
	}
	return Stretch{
		From: all[0].tick.At - all[0].length, To: all[len(all)-1].tick.At,
		Offered: intended / length, Achieved: answered / length, Cores: cores.number(), Generator: generator.number(),
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

// During is the model of a stretch, with its tables.
func (m *Model) During(s Stretch) *Model {
	d := m.within(s)
	d.tabulate()
	return d
}

// within is the model of a stretch, with the tables of the whole window. Cores and rates
// are those of its seconds; what others use of the machine is taken to be the same all the
// time, and waits, which no timeline has, are the whole window's.
func (m *Model) within(s Stretch) *Model {
	d, load := *m, *m.Load
	busy := m.Ev.Window.Machine.Busy
	others := busy.Or(0) - m.Cores.Or(0) - load.GeneratorCPU.Or(0)
	load.OfferedRPS, load.AchievedRPS, load.GeneratorCPU = s.Offered, s.Achieved, s.Generator
	d.Load, d.RPS, d.Stretch = &load, s.Achieved, &s
	d.Ev.Window.Load = &load
	own := 1.0
	if c := m.Cores.Or(0); c > 0 {
		own = (m.Service.Or(c-m.Asked) + m.Asked) / c
	}
	service := unpark.Number{}
	if c, ok := s.Cores.Get(); ok {
		service = unpark.Num(c * own)
		if busy.Known() {
			d.Ev.Window.Machine.Busy = unpark.Num(min(float64(m.Ev.MachineCores()), max(0, others)+c+s.Generator.Or(0)))
		}
	}
	d.Usage = usageOf(d.Ev, s.Cores, service)
	d.Short = m.Short
	return &d
}

// RampTop is the highest rate that a ramp asked for within the window; 0 for other plans.
func (m *Model) RampTop() float64 {
	var most float64
	if m.Ev.Plan.Mode != unpark.Ramp {
		return 0
	}
	window, _ := timeline(m)
	for _, s := range window {
		most = max(most, s.due/s.length)
	}
	return most
}
