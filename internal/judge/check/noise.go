package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
	"github.com/unpark-go/unpark/internal/units"
)

// noise returns how much worse than their mean, as a log ratio, a run may be that
// does not differ from the baselines with the given logs (worse is more).
//
// Three or more baselines predict the next identical run by Student's t, and it must
// also be worse than the worst of them by the band: noise on shared machines has
// longer tails than t allows for. Fewer say nothing of the spread.
func (m metric) noise(logs []float64, parts int) float64 {
	mean, worst := stats.Mean(logs), slices.Max(logs)
	band := math.Log1p(m.band)
	if k := len(logs); k >= enough {
		t := stats.StudentQuantile(1-alpha/float64(max(1, parts)), k-1)
		return max(worst-mean+band, t*stats.StdDev(logs)*math.Sqrt(1+1/float64(k)))
	}
	return worst - mean + unknownHost*band
}

// worse is the logarithm of a figure, turned so that more is worse.
func (m metric) worse(v float64) float64 {
	l := math.Log(max(v, m.least, math.SmallestNonzeroFloat64))
	if m.more {
		return -l
	}
	return l
}

// verdict judges a figure against the baselines' by a bound.
func (m metric) verdict(b unpark.Bound, v float64, base []float64, parts int) (state unpark.BoundState, change, noise float64) {
	logs := make([]float64, len(base))
	for i, x := range base {
		logs[i] = m.worse(x)
	}
	diff, margin := m.worse(v)-stats.Mean(logs), m.noise(logs, parts)
	limit := math.Log1p(b.Value)
	sign := 1.0
	if m.more {
		limit, sign = -limit, -1
	}
	state = unpark.BoundKept
	switch kept := diff < limit || diff == limit && len(b.Op) == 2; {
	case diff > limit+margin:
		state = unpark.BoundBroken
	case !kept && math.Abs(diff-limit) > rounding:
		state = unpark.BoundUnsure
	}
	return state, math.Expm1(sign * diff), math.Expm1(sign * margin)
}

// byRuns judges a bound against baseline runs.
func (j *judge) byRuns(out *unpark.Judged, m metric, v float64) {
	var base []float64
	elsewhere, disturbed, why := 0, 0, ""
	for _, b := range j.baselines {
		q, missing := b.figure(m, out.At)
		x, ok := q.Value.Get()
		switch {
		case !ok:
			why = missing
		case m.timed && b.elsewhere:
			elsewhere++
		case m.timed && b.disturbed:
			disturbed++
		default:
			base = append(base, x)
		}
	}
	switch {
	case len(base) == 0 && disturbed > 0:
		out.State, out.Why = unpark.BoundUnsure, "something else used the machine while the baseline was made: repeat it on a quiet one, or interleaved: unpark ab"
		return
	case len(base) == 0 && elsewhere > 0:
		out.State, out.Why = unpark.BoundUnsure, "the baseline was measured on another machine: measure both on one, interleaved: unpark ab"
		return
	case len(base) == 0:
		out.State, out.Why = unpark.BoundUnmeasured, "the baseline does not have it: "+why
		return
	case max(slices.Max(base), v) <= max(m.least, 0):
		// Nothing then and nothing now.
		out.State, out.Against = unpark.BoundKept, unpark.Measured(stats.Mean(base), m.unit, int64(len(base)))
		return
	}
	state, change, noise := m.verdict(out.Bound, v, base, j.parts)
	out.State, out.Change, out.Noise = state, unpark.Num(change), unpark.Num(noise)
	out.Against = unpark.Measured(centre(base), m.unit, int64(len(base)))
	switch {
	case state == unpark.BoundBroken && m.timed && j.run.busy():
		out.State, out.Why = unpark.BoundUnsure, "something else used the machine while the run was made: repeat it on a quiet one, or interleaved: unpark ab"
	case state == unpark.BoundUnsure:
		out.Why = fmt.Sprintf("identical runs may differ by %s%s: %s", units.Say(math.Abs(noise), "ratio"), hint(len(base)), m.rounds(change, out.Bound.Value))
	}
}

// centre is the geometric mean, or the plain one where something is 0.
func centre(v []float64) float64 {
	if slices.Min(v) <= 0 {
		return stats.Mean(v)
	}
	logs := make([]float64, len(v))
	for i, x := range v {
		logs[i] = math.Log(x)
	}
	return math.Exp(stats.Mean(logs))
}

func hint(baselines int) string {
	switch {
	case baselines < enough:
		return fmt.Sprintf(" (%d or more baselines tell by how much on this machine)", enough)
	default:
		return fmt.Sprintf(" on this machine, as %d baselines show", baselines)
	}
}

// errors judges a difference of shares of errors by the normal interval of two
// shares. Errors come in bursts, so that it is too narrow, if anything: an error
// more than chance allows deserves a look.
func (j *judge) errors(out *unpark.Judged) {
	p, n := out.Measured.Value.Or(0), float64(out.Measured.N)
	var failed, all float64
	for _, b := range j.baselines {
		q, why := b.figure(errorsMetric(), "")
		v, ok := q.Value.Get()
		if !ok {
			out.State, out.Why = unpark.BoundUnmeasured, "a baseline does not have it: "+why
			return
		}
		failed += v * float64(q.N)
		all += float64(q.N)
	}
	pooled := (failed + p*n) / (all + n)
	noise := manyErrors * math.Sqrt(pooled*(1-pooled)*(1/n+1/all))
	diff := p - failed/all
	out.Against, out.Change, out.Noise = unpark.Measured(failed/all, "ratio", int64(all)), unpark.Num(diff), unpark.Num(noise)
	switch {
	case diff > out.Value+noise:
		out.State = unpark.BoundBroken
	case within(out.Op, diff, out.Value):
		out.State = unpark.BoundKept
	default:
		out.State, out.Why = unpark.BoundUnsure, "so few errors come and go by chance: run longer"
	}
}
