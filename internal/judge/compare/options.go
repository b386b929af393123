package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark/internal/stats"
)

// Options says how sure an answer must be and what it may cost. Zero values are
// the defaults.
type Options struct {
	// Alpha is the probability that identical arms are called different in any
	// metric; default 0.01.
	Alpha float64
	// Width is how wide the 90 % interval of throughput and CPU per request may be,
	// as a share of the ratio, for [Enough] to stop; default 0.025. Where rounds stop by
	// it, a change of 5 % is found 19 times in 20.
	Width float64
	// MinRounds and MaxRounds bound the number of rounds. The default minimum is three
	// more than a change of a single metric needs to be called at Alpha when every round
	// agrees, 14 at 0.01; the default maximum is 20, or the minimum when that is more.
	MinRounds, MaxRounds int
	// Seed is of the sign vectors that are drawn above 16 rounds; default 1.
	Seed uint64
}

func (o Options) filled() Options {
	if o.Alpha <= 0 || o.Alpha >= 1 {
		o.Alpha = defaultAlpha
	}
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	if o.MinRounds <= 0 {
		o.MinRounds = roundsFor(o.Alpha, len(metrics())) + spareRounds
		if o.MaxRounds > 0 {
			o.MinRounds = min(o.MinRounds, o.MaxRounds)
		}
	}
	if o.MaxRounds <= 0 {
		o.MaxRounds = defaultRounds
	}
	o.MaxRounds = max(o.MaxRounds, o.MinRounds)
	if o.Seed == 0 {
		o.Seed = 1
	}
	return o
}

// Bounds returns the fewest and the most rounds that [Enough] asks for.
func (o Options) Bounds() (fewest, most int) {
	o = o.filled()
	return o.MinRounds, o.MaxRounds
}

// roundsFor returns how many rounds it takes until a change that every round shows
// in one of n metrics alone, can have an adjusted p of alpha: of 2^rounds sign
// vectors, two for each metric are as extreme.
func roundsFor(alpha float64, n int) int {
	return int(math.Ceil(1 + math.Log2(float64(n)/alpha) - 1e-9))
}

// Enough reports whether further rounds are worth it, and why not. Rounds end when
// the intervals of throughput and CPU per request are as narrow as Width, or when
// MaxRounds are spent; never because of what they show. The width is judged by the
// absolute log ratios alone (stats.FoldedSpread): whether to go on would be decided
// alike had the arms of any round been swapped, so that asking after every round
// cannot turn noise into a change.
func Enough(pairs []Pair, o Options) (done bool, why string) {
	o = o.filled()
	n := len(pairs)
	if n < o.MinRounds {
		return false, fmt.Sprintf("%d of at least %s", n, rounds(o.MinRounds))
	}
	var names, wide []string
	widest := 0.0
	speed := paced(pairs, nil)
	for _, m := range metrics() {
		if m.name != throughput && m.name != cpuEach {
			continue
		}
		width := foldedWidth(speed.logRatios(m, pairs))
		if math.IsNaN(width) {
			continue
		}
		names = append(names, plain(m.name))
		widest = max(widest, width)
		if width > o.Width {
			wide = append(wide, plain(m.name))
		}
	}
	switch {
	case len(names) > 0 && len(wide) == 0:
		return true, fmt.Sprintf("after %s the intervals of %s are narrow enough: ±%.1f %%", rounds(n), strings.Join(names, " and "), 50*widest)
	case n >= o.MaxRounds && len(wide) > 0:
		return true, fmt.Sprintf("the budget of %s is spent; the interval of %s is still ±%.1f %%", rounds(o.MaxRounds), strings.Join(wide, " and "), 50*widest)
	case n >= o.MaxRounds:
		return true, "the budget of " + rounds(o.MaxRounds) + " is spent"
	default:
		return false, fmt.Sprintf("the interval of %s is ±%.1f %%, ±%.1f %% is wanted", strings.Join(slices.Compact(wide), " and "), 50*widest, 50*o.Width)
	}
}

// foldedWidth estimates the width of the 90 % interval of a ratio, relative to it,
// from absolute log ratios; NaN of fewer than leastScatter rounds.
func foldedWidth(ratios []float64) float64 {
	d := known(ratios)
	if len(d) < leastScatter {
		return math.NaN()
	}
	half := stats.StudentQuantile(upper, len(d)-1) * stats.FoldedSpread(d) / math.Sqrt(float64(len(d)))
	return math.Expm1(2 * half)
}

// plain is a metric's name for a sentence.
func plain(name string) string {
	switch name {
	case cpuEach:
		return "CPU per request"
	case waitEach:
		return "waiting per request"
	default:
		return strings.ReplaceAll(name, "_", " ")
	}
}
