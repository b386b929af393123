package load

import (
	"errors"
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
)

// never is later than every load ends.
const never = math.MaxInt64

// pacer says when arrivals are intended. Implementations are pure values: the
// same k and prev always give the same answer, so a schedule can be replayed,
// and time lost by a sleep that overshot is never pushed into later arrivals.
type pacer interface {
	// next returns the intended start of arrival k in nanoseconds since the load
	// began; prev is that of arrival k−1, or 0 for the first. The result is
	// never when there is no such arrival.
	next(k, prev int64) int64
}

var (
	_ pacer = constant{}
	_ pacer = poisson{}
	_ pacer = ramp{}
	_ pacer = replay{}
)

// constant spaces arrivals evenly: t = k/rate.
type constant struct{ rate float64 }

func (c constant) next(k, _ int64) int64 { return nanos(float64(k) / c.rate) }

// poisson spaces arrivals by exponential gaps of mean 1/rate. Gap k comes from a
// hash of seed and k, so it needs no state.
type poisson struct {
	rate float64
	seed uint64
}

func (p poisson) next(k, prev int64) int64 {
	gap := nanos(-math.Log1p(-uniform(p.seed, k)) / p.rate)
	if prev > never-gap {
		return never
	}
	return prev + gap
}

// ramp changes the rate linearly over legs. After the last leg its final rate
// holds.
type ramp struct{ legs []leg }

// leg is one stage with what came before it.
type leg struct {
	unpark.Stage
	begin float64 // seconds since the load began
	count float64 // arrivals before it
}

// newRamp puts the first rate in front for the length of the warm-up, so that
// the ramp starts where the measurement does.
func newRamp(stages []unpark.Stage, warmup float64) ramp {
	var r ramp
	begin, count := 0.0, 0.0
	add := func(st unpark.Stage) {
		r.legs = append(r.legs, leg{Stage: st, begin: begin, count: count})
		begin += st.Duration
		count += (st.From + st.To) / 2 * st.Duration
	}
	if warmup > 0 {
		add(unpark.Stage{From: stages[0].From, To: stages[0].From, Duration: warmup})
	}
	for _, st := range stages {
		add(st)
	}
	last := stages[len(stages)-1].To
	add(unpark.Stage{From: last, To: last, Duration: math.Inf(1)})
	return r
}

func (r ramp) next(k, _ int64) int64 {
	i := len(r.legs) - 1
	for i > 0 && r.legs[i].count > float64(k) {
		i--
	}
	l := r.legs[i]
	return nanos(l.begin + l.after(float64(k)-l.count))
}

// after inverts the integral of the leg's rate: it solves
// from·x + (to−from)/(2·duration)·x² = m for x. The form 2m/(from+√…) neither
// cancels when the rate hardly changes nor divides by a slope of zero.
func (l leg) after(m float64) float64 {
	if m <= 0 && l.From+l.To > 0 {
		return 0
	}
	slope := (l.To - l.From) / l.Duration
	return 2 * m / (l.From + math.Sqrt(max(0, l.From*l.From+2*slope*m)))
}

// replay has its arrivals in a list; after the last one there is none.
type replay struct{ at []int64 }

func newReplay(arrivals []float64) (replay, error) {
	r := replay{at: make([]int64, len(arrivals))}
	for i, at := range arrivals {
		r.at[i] = nanos(at)
		if !(at >= 0) || r.at[i] == never || i > 0 && r.at[i] < r.at[i-1] {
			return r, fmt.Errorf("arrival %d at %g s: arrivals are seconds from 0 on, in ascending order", i+1, at)
		}
	}
	if len(arrivals) == 0 {
		return r, errors.New("a replay needs at least one arrival")
	}
	return r, nil
}

func (r replay) next(k, _ int64) int64 {
	if k >= int64(len(r.at)) {
		return never
	}
	return r.at[k]
}

// nanos converts seconds, rounding; what is not finite or too long is never.
func nanos(seconds float64) int64 {
	if !(seconds < never/2e9) {
		return never
	}
	return int64(math.Round(seconds * 1e9))
}

// choice draws one of several kinds by weight. The draw for arrival k is a
// function of seed and k: two runs of one plan send the same sequence.
type choice struct {
	seed  uint64
	part  unpark.Share
	upper []float64 // cumulative weights, the last is 1
}

func newChoice(seed uint64, weights []float64) choice {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	upper, at := make([]float64, len(weights)), 0.0
	for i, w := range weights {
		at += w
		upper[i] = at / sum
	}
	return choice{seed: seed ^ 0x6b696e64, upper: upper}
}

// of returns the index of the kind that arrival k sends.
func (c choice) of(k int64) int {
	if len(c.upper) == 1 {
		return 0
	}
	u := uniform(c.seed, c.part.Number(k))
	for i, upper := range c.upper {
		if u < upper {
			return i
		}
	}
	return len(c.upper) - 1
}

// uniform returns a number in [0,1) that looks random and depends on seed and k
// alone (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", 2014).
func uniform(seed uint64, k int64) float64 {
	return float64(mix(mix(seed)+uint64(k)*0x9e3779b97f4a7c15)>>11) / (1 << 53)
}

func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
