package unpark

import "time"

// SchemaScorecard names the version of the scorecard document. Keys are stable
// within it.
const SchemaScorecard = "unpark.scorecard/v1"

// Score is one forecast beside its outcome, as one line of a scorecard file has
// it. Predicted and Measured are ratios, after ÷ before.
type Score struct {
	Time      time.Time `json:"time"`
	Unpark    string    `json:"unpark"` // the version that made the forecast
	Target    string    `json:"target"`
	Metric    string    `json:"metric"`
	Class     Class     `json:"class,omitempty"`
	Rule      string    `json:"rule,omitempty"`
	Function  string    `json:"function,omitempty"`
	Predicted Quantity  `json:"predicted"`
	Measured  Quantity  `json:"measured"`
	Inside    bool      `json:"inside"`
}

// Scores returns the forecasts of a comparison with their outcomes, for the
// scorecard. before is the run that the forecasts were made from. A forecast
// without an interval, or without an outcome, has nothing to be judged by and is
// left out.
func Scores(c Comparison, before Run, at time.Time) []Score {
	var out []Score
	for _, f := range c.Forecast {
		s := Score{
			Time: at.UTC(), Unpark: before.Unpark.Version, Target: before.Target.Name(), Metric: f.Metric,
			Class: f.Class, Rule: f.Rule, Function: f.Function,
			Predicted: f.Predicted, Measured: f.Measured, Inside: f.Inside,
		}
		if s.Judgeable() {
			out = append(out, s)
		}
	}
	return out
}

// Judgeable reports whether there is an interval and an outcome, and both are
// ratios above 0.
func (s Score) Judgeable() bool {
	for _, n := range []Number{s.Predicted.Value, s.Predicted.Low, s.Predicted.High, s.Measured.Value} {
		if v, ok := n.Get(); !ok || v <= 0 {
			return false
		}
	}
	return s.Predicted.Low.Or(0) <= s.Predicted.High.Or(0) && s.Metric != ""
}

// Name is what people call a target: its package, else its program, else where
// it listens.
func (t Target) Name() string {
	switch {
	case t.Package != "" && t.Module != "":
		return t.Module + " " + t.Package
	case t.Package != "":
		return t.Package
	case len(t.Command) > 0:
		return t.Command[0]
	case t.URL != "":
		return t.URL
	case len(t.Pprof) > 0:
		return t.Pprof[0]
	default:
		return ""
	}
}

// Scorecard is how well forecasts came true. It is the document that `unpark
// scorecard --json` prints.
type Scorecard struct {
	Schema string    `json:"schema"` // "unpark.scorecard/v1"
	First  time.Time `json:"first"`
	Last   time.Time `json:"last"`
	// Services counts the targets, Distinct the different forecasts: by target,
	// metric, rule and function. Repeats of one are not independent.
	Services int          `json:"services"`
	Distinct int          `json:"distinct"`
	All      ScoreGroup   `json:"all"`
	Metrics  []ScoreGroup `json:"metrics"` // by name
	Classes  []ScoreGroup `json:"classes"` // by name
	Scores   []Score      `json:"scores"`  // in the order of time
	Warnings []Notice     `json:"warnings"`
}

// ScoreGroup sums up some of the scores.
type ScoreGroup struct {
	Name string `json:"name"`
	N    int    `json:"n"`
	// Coverage is the share of outcomes inside of the interval that was promised,
	// with the binomial interval of that share; 0.9 was promised.
	Coverage Quantity `json:"coverage"`
	// Width is the geometric mean of the intervals' high ÷ low; Narrow the share of
	// them that are at most NarrowWidth.
	Width  Number `json:"width"`
	Narrow Number `json:"narrow_share"`
	// Error is the typical factor between forecast and outcome, either way: exp of the
	// mean |log(predicted ÷ measured)|. Bias is its direction: above 1, more was
	// measured than predicted (exp of the mean log(measured ÷ predicted)).
	Error Number `json:"error_factor"`
	Bias  Number `json:"bias_factor"`
}

// NarrowWidth is the high ÷ low at or below which an interval says something.
const NarrowWidth = 1.5
