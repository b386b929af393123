package compare

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// Resolution is, by metric, the change (a ratio, 0.02 is ±2 %) from which on so many
// rounds call it in 19 of 20 experiments. It rests on how far the given rounds scatter
// about their mean; no round is added or left out for it. Fewer than three say nothing of
// it: then it is what rounds of identical arms recorded on another
// machine scatter by, in throughput, p50, p99 and CPU per request, and N is 0; else N
// is the number of rounds. It is empty where so many rounds can call no change.
func Resolution(pairs []Pair, rounds int, o Options) map[string]unpark.Quantity {
	o = o.filled()
	out := map[string]unpark.Quantity{}
	if rounds < roundsFor(o.Alpha, 1) {
		return out
	}
	recorded := recordedNoise()
	speed := paced(pairs, nil)
	for _, m := range metrics() {
		d := known(speed.logRatios(m, pairs))
		noise, ok := recorded[m.name]
		n := 0
		if len(d) >= leastScatter {
			noise, n, ok = stats.StdDev(d), len(d), true
		} else if len(pairs) >= leastScatter {
			ok = false // these rounds do not have it
		}
		if ok {
			out[m.name] = unpark.Measured(resolved(noise, rounds), "ratio", int64(n))
		}
	}
	return out
}

// Least returns how many rounds it takes until a change of every metric can be called,
// and of one metric alone.
func (o Options) Least() (all, one int) {
	o = o.filled()
	return roundsFor(o.Alpha, 1), roundsFor(o.Alpha, len(metrics()))
}

// resolved is the change that rounds of a log ratio's standard deviation find with
// probability power. Many rounds find one of twice the width of their 90 % interval
// (Options.Width); as few as can just call a change must all agree on its sign. It is
// never less than what the instruments agree to.
func resolved(noise float64, rounds int) float64 {
	n := float64(rounds)
	width := math.Expm1(2 * stats.StudentQuantile(upper, rounds-1) * noise / math.Sqrt(n))
	agree := 0.0
	if rounds < roundsFor(defaultAlpha, len(metrics()))+spareRounds {
		agree = math.Expm1(noise * math.Sqrt2 * math.Erfinv(2*math.Pow(power, 1/n)-1))
	}
	return max(leastFloor, 2*width, agree)
}
