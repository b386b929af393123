package expect

import (
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

// Forecasts holds what the run before promised against what the run after is: the
// p99, and the throughput where the load is not given. One whose Predicted is
// unknown is a step of which nothing was forecast, because the finding is not
// there or abstains. There are none of runs without load.
func (s Step) Forecasts(before, after unpark.Run) []unpark.Forecast {
	was, is := measured(before), measured(after)
	if was == nil || is == nil {
		return nil
	}
	promised := s.promise(before)
	var out []unpark.Forecast
	if !before.Plan.Mode.Open() {
		out = append(out, forecast(Throughput, promised, promised.Prediction.Throughput, was.AchievedRPS, is.AchievedRPS))
	}
	return append(out, forecast(P99, promised, promised.Prediction.P99, was.Response.P99, is.Response.P99))
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

// cause is the finding that the step takes away.
func (s Step) cause(run unpark.Run) unpark.Finding {
	if s.Blocking {
		if run.Blocking == nil || run.Blocking.First == nil {
			return unpark.Finding{}
		}
		return *run.Blocking.First
	}
	at := slices.IndexFunc(run.Findings, s.Finding.matches)
	if at < 0 {
		return unpark.Finding{}
	}
	return run.Findings[at]
}

func forecast(metric string, by unpark.Finding, predicted unpark.Quantity, was, is float64) unpark.Forecast {
	return unpark.Forecast{
		Metric: metric, Class: by.Class, Rule: by.Rule, Function: by.Site.Function, Predicted: predicted, Measured: unpark.Measured(is/was, "ratio", 1),
		Inside: predicted.Contains(is / was),
	}
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
