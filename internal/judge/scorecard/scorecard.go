// Package scorecard says how well unpark's forecasts came true: the share of
// outcomes inside the interval that was promised, how wide those intervals were
// (one that is always wide is always right and says nothing), and by what factor
// forecast and outcome differ, in all, by metric and by class of finding.
package scorecard

import (
	"cmp"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// Sum sums scores up. Those that cannot be judged (unpark.Score, Judgeable) are left
// out.
func Sum(scores []unpark.Score, notices []unpark.Notice) unpark.Scorecard {
	out := unpark.Scorecard{
		Schema: unpark.SchemaScorecard, Scores: []unpark.Score{}, Warnings: append([]unpark.Notice{}, notices...),
		Metrics: []unpark.ScoreGroup{}, Classes: []unpark.ScoreGroup{},
	}
	for _, s := range scores {
		if s.Judgeable() {
			s.Inside = s.Predicted.Contains(s.Measured.Value.Or(0))
			out.Scores = append(out.Scores, s)
		}
	}
	slices.SortStableFunc(out.Scores, func(a, b unpark.Score) int { return a.Time.Compare(b.Time) })
	type forecast struct{ target, metric, rule, function string }
	services, distinct := map[string]bool{}, map[forecast]bool{}
	metrics, classes := map[string][]unpark.Score{}, map[string][]unpark.Score{}
	for _, s := range out.Scores {
		services[s.Target] = true
		distinct[forecast{s.Target, s.Metric, s.Rule, s.Function}] = true
		metrics[s.Metric] = append(metrics[s.Metric], s)
		class := cmp.Or(string(s.Class), "unknown")
		classes[class] = append(classes[class], s)
	}
	out.Services, out.Distinct = len(services), len(distinct)
	out.All = group("all", out.Scores)
	out.Metrics, out.Classes = groups(metrics), groups(classes)
	if n := len(out.Scores); n > 0 {
		out.First, out.Last = out.Scores[0].Time, out.Scores[n-1].Time
	}
	return out
}

func groups(by map[string][]unpark.Score) []unpark.ScoreGroup {
	out := []unpark.ScoreGroup{}
	for name, scores := range by {
		out = append(out, group(name, scores))
	}
	slices.SortFunc(out, func(a, b unpark.ScoreGroup) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// group sums up scores that can be judged.
func group(name string, scores []unpark.Score) unpark.ScoreGroup {
	out := unpark.ScoreGroup{Name: name, N: len(scores), Coverage: unpark.Quantity{Unit: "ratio"}}
	if len(scores) == 0 {
		return out
	}
	var inside, narrow int
	var width, miss, bias float64
	for _, s := range scores {
		w := s.Predicted.High.Or(0) / s.Predicted.Low.Or(1)
		error := math.Log(s.Measured.Value.Or(1) / s.Predicted.Value.Or(1))
		width, miss, bias = width+math.Log(w), miss+math.Abs(error), bias+error
		if s.Inside {
			inside++
		}
		if w <= unpark.NarrowWidth {
			narrow++
		}
	}
	n := float64(len(scores))
	low, high := stats.Binomial(float64(inside), n)
	out.Coverage = unpark.Between(float64(inside)/n, low, high, "ratio", int64(len(scores)))
	out.Width, out.Narrow = unpark.Num(math.Exp(width/n)), unpark.Num(float64(narrow)/n)
	out.Error, out.Bias = unpark.Num(math.Exp(miss/n)), unpark.Num(math.Exp(bias/n))
	return out
}
