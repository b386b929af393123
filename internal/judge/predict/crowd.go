package predict

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
)

// preempted is how long a goroutine may run at a time while others are ready
// (runtime/proc.go, forcePreemptNS), in seconds.
const preempted = 10e-3

// leastHold is the part of a hold that no shorter queue for processors takes away.
const leastHold = 0.1

// crowd is a scene in which goroutines wait for a processor.
type crowd struct{ scene }

// late is how long a goroutine that sleeps, or waits for a socket, goes on waiting when
// the wait is over and every processor is busy: timers and sockets are looked after
// between two goroutines (runtime/proc.go, schedule). Of m goroutines that are
// somewhere in a run of b seconds the first is done after b/(m+1) on average; if all
// began together, or runs differ much, after up to b. Cpu is what a request takes,
// and rate how many there are.
func (s crowd) late(cpu, rate float64) span {
	if s.cores <= 0 {
		return span{}
	}
	busy := min(1, rate*(cpu+s.generator)/s.cores)
	m := max(1, math.Round(s.cores))
	run := min(cpu, preempted)
	return span{0, math.Pow(busy, m) * run / (m + 1), busy * run}
}

// relief is by how much less a wait is late once a cut leaves processors free, in
// seconds; nothing where the cut takes no CPU.
func (s crowd) relief(c cut, k kept) span {
	if c.cpu.value <= 0 {
		return span{}
	}
	// What the cut leaves runs at least as often as now.
	was, is := s.late(s.cpu, s.rate), s.late(k.target.value, s.rate)
	return span{0, max(0, was.value-is.value), max(0, was.high-is.high)}
}

// sooner takes from the holds of locks what their holders are late, as far as they
// are not on a processor.
func (s crowd) sooner(c cut, stations []times, late float64) []times {
	if late <= 0 || len(stations) == 0 {
		return stations
	}
	out := slices.Clone(stations)
	for i, st := range s.others(c) {
		out[i].mean = max(leastHold*out[i].mean, out[i].mean-s.lateHold(st, late))
	}
	return out
}

// lateHold is what of a lock's hold can be that its holder is late, in seconds. What
// is late varies: of waits that end at any time within a run the standard deviation
// is at least 1/√3 of the mean, so holds that hardly differ are hardly late.
func (s crowd) lateHold(st station, late float64) float64 {
	late = min(late, s.away(st)*st.demand)
	if scv, n := s.spread(st); n > 0 {
		late = min(late, math.Sqrt(3*scv.value)*st.demand)
	}
	return late
}

// earlier is how much shorter a request's waits for locks get, in seconds, in
// proportion to the holds. That other waits end late as well is not taken off: how
// many of them a request has is not known.
func (s crowd) earlier(c cut, late float64) float64 {
	var sum float64
	for _, st := range s.others(c) {
		sum += st.wait * s.lateHold(st, late) / st.demand
	}
	return sum
}

// others are the locks that a cut leaves, in the order of the model's stations.
func (s crowd) others(c cut) []station {
	return slices.DeleteFunc(slices.Clone(s.locks), func(st station) bool { return st == c.station })
}

// away is the part of a lock's holds in which the holder is on no processor: by
// traces, or else all of it.
func (s crowd) away(lock station) float64 {
	if s.m.Ev.Tracing == nil || lock.lock == nil {
		return 1
	}
	var delay, running float64
	for _, e := range s.m.Ev.Tracing.Edges {
		if !lock.lock.Owns(e) {
			continue
		}
		delay += e.Delay
		for _, h := range e.Held {
			if h.Class == unpark.Running {
				running += h.Share * e.Delay
			}
		}
	}
	if delay <= 0 {
		return 1
	}
	return 1 - min(1, running/delay)
}
