package slowdown

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// Failed is an experiment without a result.
func Failed(why string) unpark.Experiment {
	return unpark.Experiment{Why: why, Doses: []unpark.Slowed{}, Assumptions: []string{}}
}

// Conclude says what the rounds show of a subject, and warns where that contradicts
// the model. The same seed gives the same intervals.
func (s Subject) Conclude(rounds []Round, seed uint64) (unpark.Experiment, []unpark.Notice) {
	if len(rounds) < LeastRounds {
		e := Failed(fmt.Sprintf("%d rounds were completed, an interval takes %d", len(rounds), LeastRounds))
		e.Removed, e.Rounds = s.Removed, len(rounds)
		return e, nil
	}
	s = s.scaled(mean(rounds))
	e := unpark.Experiment{Removed: s.Removed, Rounds: len(rounds), Doses: arms(rounds), Calls: calls(rounds)}
	if added, ok := e.Doses[2].Delay.Value.Get(); !ok || added <= 0 {
		e.Why = "the delay never ran, so nothing was slowed down"
		e.Assumptions = []string{}
		return e, nil
	}
	all := s.extrapolate(rounds, []int{0, 1, 2}, seed)
	off, low, high := bend(rounds)
	e.Bend = unpark.Between(off, low, high, "ratio", int64(len(rounds)))
	e.Bent = (low > 0 || high < 0) && math.Abs(off) > straight
	e.Slope, e.Throughput, e.CPUPerRequest, e.Ceiling = all.slope, all.throughput, all.cpu, all.ceiling
	if e.Bent {
		// The nearer dose is nearer to the service as it is; what the farther one says
		// stays inside the interval.
		near := s.extrapolate(rounds, []int{0, 1}, seed)
		e.Slope, e.CPUPerRequest, e.Ceiling = near.slope, near.cpu, near.ceiling
		e.Throughput = union(near.throughput, all.throughput)
	}
	e.Assumptions = assumptions(s, e)
	return e, compared(s, &e)
}

// mean is the arm without delay over the rounds.
func mean(rounds []Round) Point {
	var p Point
	for _, r := range rounds {
		p.CPU += r[0].CPU / float64(len(rounds))
		p.Gap += r[0].Gap / float64(len(rounds))
	}
	return p
}

func union(a, b unpark.Quantity) unpark.Quantity {
	a.Low = unpark.Num(min(a.Low.Or(math.Inf(1)), b.Low.Or(math.Inf(1))))
	a.High = unpark.Num(max(a.High.Or(0), b.High.Or(0)))
	return a
}

// arms sums up each arm over the rounds.
func arms(rounds []Round) []unpark.Slowed {
	out := make([]unpark.Slowed, 3)
	for a := range out {
		over := func(of func(Point) float64, unit string) unpark.Quantity {
			var v []float64
			for _, r := range rounds {
				v = append(v, of(r[a]))
			}
			mean, half := stats.MeanInterval(v)
			return unpark.Between(mean, max(0, mean-half), mean+half, unit, int64(len(v)))
		}
		out[a] = unpark.Slowed{
			PerCall:    unpark.Num(rounds[0][a].Spin),
			Delay:      over(func(p Point) float64 { return p.Delay }, "s/req"),
			Throughput: over(func(p Point) float64 { return 1 / p.Gap }, "req/s"),
		}
		if rounds[0][a].CPU > 0 {
			out[a].CPUPerRequest = over(cpuOf, "s/req")
		}
	}
	return out
}

func calls(rounds []Round) unpark.Number {
	var v []float64
	for _, r := range rounds {
		v = append(v, r[0].Calls)
	}
	return unpark.Num(stats.Mean(v))
}

// compared holds the experiment against the prediction of the model.
func compared(s Subject, e *unpark.Experiment) []unpark.Notice {
	p := s.Finding.Prediction.Throughput
	if !p.Low.Known() || !p.High.Known() || !e.Throughput.Low.Known() {
		return nil
	}
	if e.Throughput.Low.Or(0) <= p.High.Or(0) && p.Low.Or(0) <= e.Throughput.High.Or(0) {
		e.Agrees = "yes"
		return nil
	}
	e.Agrees = "no"
	so := "one of them is wrong"
	if e.Ceiling == "" && p.High.Or(0) < e.Throughput.Low.Or(0) {
		so = "either the model knows a limit that a slowdown does not show, or it is wrong"
	}
	return []unpark.Notice{{
		Code: "experiment-disagrees",
		Message: fmt.Sprintf("of %q the model says throughput × %.2f (%.2f–%.2f), slowing it down says × %.2f (%.2f–%.2f): %s",
			s.Finding.Title, p.Value.Or(math.NaN()), p.Low.Or(0), p.High.Or(0), e.Throughput.Value.Or(math.NaN()), e.Throughput.Low.Or(0), e.Throughput.High.Or(0), so),
		Cure: "plan with the smaller of both, and prove the fix with `unpark ab`",
	}}
}

// assumptions says what the extrapolation rests on.
func assumptions(s Subject, e unpark.Experiment) []string {
	out := []string{"what a delay adds, its removal takes away: below the present time of the site the line goes on"}
	if reach := s.Finding.Reach(); reach < 1 {
		out = append(out, fmt.Sprintf("of the culprit's cost %.0f %% goes through this place: what others ask of it stays", 100*reach))
	}
	if s.Spot.Lock {
		out = append(out, "the work done under the lock stays, and is no longer serial: of the CPU only what waiting costs may go")
	}
	switch e.Ceiling {
	case "cpu":
		out = append(out, fmt.Sprintf("the line goes on below what the CPU allows: the CPU is the ceiling, and a service reaches %.0f–100 %% of it", 100*reached))
	case "connections":
		out = append(out, fmt.Sprintf("the line goes on below what the connections allow, each with one request at a time: they are the ceiling, and a service reaches %.0f–100 %% of it", 100*reached))
	case "offered":
		out = append(out, "no more can be answered than is offered")
	default:
		out = append(out, "nothing else binds before: a slowdown does not show the next limit, so this is at most what a fix buys")
	}
	if e.Bent {
		out = append(out, "the doses do not lie on one line, so the nearer one counts and the interval covers both")
	}
	return out
}
