package predict

import (
	"cmp"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// Rank orders findings by what fixing them would buy and sets Rank from 1:
//
//  1. what buys something, the most first: of throughput where the load leaves room
//     for it (a closed loop), else of p99 and then p50; a quota after what uses it up
//     where their intervals meet;
//  2. what no ratio is known of, which may buy something: first what the limit
//     is made of, and the quota after what uses it up;
//  3. waits that the program asked for (a limiter, a sleep, a timer): whether they are
//     wanted is not known; those that a library decided on are like other waits;
//  4. what moves p99 alone, if it does: its interval has the opposite as well;
//  5. what is real and buys nothing, because the ceiling is elsewhere.
//
// Ties go by the most that a fix may buy and by share, then by name, so that the order is
// the same every time. The argument is not changed.
func Rank(fs []unpark.Finding) []unpark.Finding {
	out := slices.Clone(fs)
	slices.SortStableFunc(out, func(a, b unpark.Finding) int {
		return cmp.Or(
			cmp.Compare(tier(b), tier(a)),
			cmp.Compare(gainOf(b.Prediction), gainOf(a.Prediction)),
			cmp.Compare(ofLimit(b), ofLimit(a)),
			cmp.Compare(mostGain(b.Prediction), mostGain(a.Prediction)),
			cmp.Compare(b.Share.Or(0), a.Share.Or(0)),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Site.Function, b.Site.Function),
			cmp.Compare(a.Site.Line, b.Site.Line),
		)
	})
	quotaAfter(out)
	for i := range out {
		out[i].Rank = i + 1
	}
	return out
}

// quotaAfter puts a quota after what uses it up, where it is not known which of the two
// buys more: more cores are bought every month, a fix once.
func quotaAfter(fs []unpark.Finding) {
	at := slices.IndexFunc(fs, func(f unpark.Finding) bool { return f.Class == unpark.ClassQuota && tier(f) == buys })
	if at < 0 {
		return
	}
	quota := fs[at]
	low, ok := quota.Prediction.Throughput.Low.Get()
	for ok && at+1 < len(fs) && tier(fs[at+1]) == buys && fs[at+1].Prediction.Throughput.High.Or(0) >= low {
		fs[at] = fs[at+1]
		at++
	}
	fs[at] = quota
}

// The tiers of findings, as their summaries have them.
const (
	buysNothing = iota
	unsure
	intended
	mayBuy
	buys
)

func tier(f unpark.Finding) int {
	p := f.Prediction
	switch {
	case !p.Throughput.Low.Known() && !p.P99.Known():
		return mayBuy
	case p.BuysNothing():
		return buysNothing
	case gainOf(p) >= unpark.LeastGain && f.Class == unpark.ClassRateLimit && asked(f):
		return intended
	case gainOf(p) >= unpark.LeastGain && onlyTail(p):
		return unsure
	case gainOf(p) >= unpark.LeastGain:
		return buys
	case f.Class == unpark.ClassQuota && !p.P99.Known():
		return mayBuy // what is offered is answered, and the stalls go: by how much is not known
	default:
		return buysNothing
	}
}

// onlyTail reports whether all that a fix may move is p99, of which the opposite is as well foretold.
func onlyTail(p unpark.Prediction) bool {
	stays := func(q unpark.Quantity) bool { return math.Abs(q.Value.Or(1)-1) < unpark.LeastGain }
	p99, ok := p.P99.Value.Get()
	return ok && p99 > 0 && p.Throughput.Known() && stays(p.Throughput) && stays(p.P50) && p.P99.Contains(1/p99)
}

// asked reports whether the program itself asked for a wait: for a limiter's, or with a timer of
// its own. A library that waits between two attempts, or for a timer, decided so itself.
func asked(f unpark.Finding) bool {
	if roles.On(f.Path, roles.Retries) {
		return false
	}
	return f.Culprit == nil || roles.Of(f.Culprit.Function).WaitBelow == unpark.WaitRateLimit
}

// gainOf is the logarithm of the gain, rounded; 0 without a prediction.
func gainOf(p unpark.Prediction) float64 {
	x, ok := p.Throughput.Value.Get()
	if !ok {
		x, ok = middle(p)
	}
	p99, known := p.P99.Value.Get()
	if !ok && !known {
		return 0
	}
	gain := math.Log(max(x, 1e-9))
	switch {
	case !ok || math.Abs(gain) < grain:
		gain = -0.1 * math.Log(max(p.P50.Value.Or(1), 1e-9))
		if known {
			gain -= 0.9 * math.Log(max(p99, 1e-9))
		}
	case known:
		// What the slowest feel counts as much as what all feel, where it is more.
		gain = max(gain, (gain-math.Log(max(p99, 1e-9)))/2)
	}
	return math.Round(max(0, gain)/grain) * grain
}

// middle is what a fix buys of which only the least is said: of an interval that was too wide for
// words the middle is above that, and twice what half of the cost buys is the whole of it.
func middle(p unpark.Prediction) (x float64, ok bool) {
	least, ok := p.Throughput.Low.Get()
	x = least * math.Sqrt(widestGain)
	for _, a := range p.Alternatives {
		if half, known := a.Throughput.Value.Get(); known && a.Fix == unpark.FixHalved && half > 0 {
			left := 1 - 2*(1-1/half)
			x = min(x, max(least, 1/max(left, 1e-3)))
		}
	}
	return x, ok
}

// mostGain is the most that a fix may buy, as a logarithm of throughput.
func mostGain(p unpark.Prediction) float64 {
	return math.Round(math.Log(max(1, p.Throughput.High.Or(p.Throughput.Low.Or(1))))/grain) * grain
}

// ofLimit orders findings of which no ratio is known. Their predictions name the
// limit, which stays.
func ofLimit(f unpark.Finding) int {
	switch {
	case tier(f) != mayBuy || !isLimit(f.Class, f.Prediction.NextLimit):
		return 0
	case f.Class == unpark.ClassQuota:
		return 1 // raising it is not fixing what uses it up
	default:
		return 2
	}
}
