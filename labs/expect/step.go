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
}

// Forecast holds what a finding of the run before promised for throughput against
// both runs; false when there is no such finding, it abstains, or a run had no
// load.
func (s Step) Forecast(before, after unpark.Run) (unpark.Forecast, bool) {
	at := slices.IndexFunc(before.Findings, s.Finding.matches)
	was, okBefore := throughput(before)
	is, okAfter := throughput(after)
	if at < 0 || !okBefore || !okAfter {
		return unpark.Forecast{}, false
	}
	f := unpark.Forecast{
		Metric:    "throughput",
		Predicted: before.Findings[at].Prediction.Throughput,
		Measured:  unpark.Measured(is/was, "ratio", 1),
	}
	if !f.Predicted.Known() {
		return unpark.Forecast{}, false
	}
	f.Inside = is/was >= f.Predicted.Low.Or(0) && is/was <= f.Predicted.High.Or(0)
	return f, true
}

// throughput is that of a run's first window, in requests per second.
func throughput(r unpark.Run) (float64, bool) {
	if len(r.Windows) == 0 || r.Windows[0].Load == nil {
		return 0, false
	}
	rps := r.Windows[0].Load.AchievedRPS
	return rps, rps > 0
}
