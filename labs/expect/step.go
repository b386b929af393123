package expect

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
)

// Step is a fix that leads from one arm to another, and the finding that
// forecasts it.
type Step struct {
	Before  string  `yaml:"before"`
	After   string  `yaml:"after"`
	Finding Finding `yaml:"finding"`
	// Blocking takes the forecast from what the run says of requests that wait for
	// one another, in place of a finding: a wait that is worth nothing is not one.
	Blocking bool `yaml:"blocking"`
	// Fix is what the step leaves a part of the cost by; empty: all of it goes.
	Fix unpark.Fix `yaml:"fix"`
}

// The metrics that steps are held against.
const (
	Throughput = "throughput"
	P99        = "p99"
)

// Promises is what a run forecasts of the step: the p99, and the throughput where the
// load is not given. One whose Predicted is unknown is a step of which nothing was
// forecast, because the finding is not there or abstains. There are none of a run
// without load.
func (s Step) Promises(before unpark.Run) []unpark.Forecast {
	if measured(before) == nil {
		return nil
	}
	by := s.promise(before)
	promised := func(metric string, q unpark.Quantity) unpark.Forecast {
		return unpark.Forecast{Metric: metric, Class: by.Class, Rule: by.Rule, Function: by.Site.Function, Predicted: q}
	}
	p99 := promised(P99, by.Prediction.P99)
	if before.Plan.Mode.Open() {
		return []unpark.Forecast{p99}
	}
	return []unpark.Forecast{promised(Throughput, by.Prediction.Throughput), p99}
}

// Silent says why a run forecasts nothing of the step; empty when it does.
func (s Step) Silent(run unpark.Run) string {
	if measured(run) == nil {
		return "nothing was answered"
	}
	cause := s.cause(run)
	if cause.Class == "" {
		return "no finding is " + s.Finding.String()
	}
	if slices.ContainsFunc(s.Promises(run), func(f unpark.Forecast) bool { return f.Predicted.Known() }) {
		return ""
	}
	if s.Fix != "" && cause.Prediction.P99.Known() {
		return fmt.Sprintf("the finding says nothing of the fix %q", s.Fix)
	}
	why := "the finding abstains"
	if len(cause.Prediction.Assumptions) > 0 {
		why += ": " + cause.Prediction.Assumptions[0]
	}
	return why
}

// Came returns a promise with what came of it, after ÷ before.
func Came(f unpark.Forecast, outcome unpark.Quantity) unpark.Forecast {
	v, known := outcome.Value.Get()
	f.Measured, f.Inside = outcome, known && f.Predicted.Allows(v)
	return f
}

// Forecasts holds what the run before promised against what the run after is.
func (s Step) Forecasts(before, after unpark.Run) []unpark.Forecast {
	was, is := measured(before), measured(after)
	if was == nil || is == nil {
		return nil
	}
	out := s.Promises(before)
	for i, f := range out {
		ratio := is.Response.P99 / was.Response.P99
		if f.Metric == Throughput {
			ratio = is.AchievedRPS / was.AchievedRPS
		}
		out[i] = Came(f, unpark.Measured(ratio, "ratio", 1))
	}
	return out
}

// promise is the finding whose forecast the step is, with the forecast of the
// step's fix; zero where there is none.
func (s Step) promise(run unpark.Run) unpark.Finding {
	f := s.cause(run)
	if s.Fix == "" {
		return f
	}
	i := slices.IndexFunc(f.Prediction.Alternatives, func(a unpark.Alternative) bool { return a.Fix == s.Fix })
	if i < 0 {
		f.Prediction = unpark.Prediction{}
		return f
	}
	a := f.Prediction.Alternatives[i]
	f.Prediction = unpark.Prediction{Throughput: a.Throughput, P50: a.P50, P99: a.P99}
	return f
}

// cause is the finding, or the cost that none tells of, that the step takes away.
func (s Step) cause(run unpark.Run) unpark.Finding {
	if s.Blocking {
		if run.Blocking == nil || run.Blocking.First == nil {
			return unpark.Finding{}
		}
		return *run.Blocking.First
	}
	for _, fs := range [][]unpark.Finding{run.Findings, run.Costs} {
		if at := slices.IndexFunc(fs, s.Finding.matches); at >= 0 {
			return fs[at]
		}
	}
	return unpark.Finding{}
}

// measured is the load of a run's first window, nil when nothing was answered.
func measured(r unpark.Run) *unpark.Load {
	if len(r.Windows) == 0 || r.Windows[0].Load == nil {
		return nil
	}
	if l := r.Windows[0].Load; l.AchievedRPS > 0 && l.Response.P99 > 0 {
		return l
	}
	return nil
}
