package slowdown

import (
	"math"
	"math/rand/v2"

	"github.com/unpark-go/unpark/internal/stats"
)

// Point is one arm in one round. Times in seconds.
type Point struct {
	Spin  float64 // of each delayed call, as asked for
	Delay float64 // added to a request, as the target counted it
	Calls float64 // per request
	Gap   float64 // between two answers: 1 ÷ throughput
	CPU   float64 // of the target per request; 0 when unknown
}

// Round is the three arms next to each other in time: without delay, and at the two
// doses.
type Round [3]Point

// line is the time between two answers by delay, relative to that without.
type line struct {
	slope float64 // per second of delay per request
	gap   float64 // without delay, s
}

// fit draws the line through arms of rounds by least squares. Each round is first
// divided by its own mean: what makes a whole round slow is not an effect of the dose.
func fit(rounds []Round, arms []int, of func(Point) float64) line {
	var n, sx, sy, sxx, sxy, level float64
	for _, r := range rounds {
		var mean float64
		for _, a := range arms {
			mean += of(r[a]) / float64(len(arms))
		}
		level += math.Log(mean) / float64(len(rounds))
		for _, a := range arms {
			x, y := r[a].Delay, of(r[a])/mean
			n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
		}
	}
	b := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	a := (sy - b*sx) / n
	return line{slope: b / a, gap: a * math.Exp(level)}
}

func gapOf(p Point) float64 { return p.Gap }
func cpuOf(p Point) float64 { return p.CPU }

// drawn returns as many rounds as there are, drawn with replacement.
func drawn(random *rand.Rand, rounds []Round) []Round {
	out := make([]Round, len(rounds))
	for i := range out {
		out[i] = rounds[random.IntN(len(rounds))]
	}
	return out
}

// fewRounds is by how much a percentile bootstrap of n rounds is too narrow: it treats the
// scatter of the sample as that of the source, and as known (Hesterberg, "What
// Teachers Should Know About the Bootstrap", 2015, sections 3.4 and 5.3).
func fewRounds(n int) float64 {
	f := float64(n)
	return stats.StudentQuantile(0.95, n-1) / stats.Z90 * math.Sqrt(f/(f-1))
}

// bend is how far the middle dose lies off the line between the outer ones, as a
// share of the time between answers without delay: mean and 90 % interval.
func bend(rounds []Round) (mean, low, high float64) {
	off := make([]float64, len(rounds))
	for i, r := range rounds {
		part := 0.0
		if r[2].Delay > 0 {
			part = r[1].Delay / r[2].Delay
		}
		off[i] = (r[1].Gap - r[0].Gap - part*(r[2].Gap-r[0].Gap)) / r[0].Gap
	}
	mean, half := stats.MeanInterval(off)
	return mean, mean - half, mean + half
}
