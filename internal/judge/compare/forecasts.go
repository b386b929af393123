package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/unpark-go/unpark"
)

// forecasts puts the predictions for findings that were removed beside what was
// measured. Each forecast is for the removal of one finding alone. So of several
// that went together, the one that promised a change of a metric is judged by it
// when the others promised none; when two did, no outcome belongs to either, and a
// notice says so.
func forecasts(before unpark.Run, found []unpark.Changed, effects []unpark.Effect) ([]unpark.Forecast, []unpark.Notice) {
	gone, partly := fixed(before, found)
	var out []unpark.Forecast
	var notices []unpark.Notice
	for _, e := range effects {
		v, measured := e.Ratio.Value.Get()
		if !measured {
			continue
		}
		f, forecast, rivals := promise(gone, e.Metric)
		if len(rivals) > 0 {
			notices = append(notices, unpark.Notice{
				Code:    "forecasts-together",
				Message: fmt.Sprintf("no forecast of %s is judged: %s went together, and each has a forecast of its own", plain(e.Metric), strings.Join(rivals, " and ")),
				Cure:    "fix one at a time to check each forecast",
			})
			continue
		}
		if f == nil {
			continue
		}
		out = append(out, unpark.Forecast{
			Metric: e.Metric, Class: f.Class, Rule: f.Rule, Function: f.Site.Function,
			Predicted: forecast, Measured: e.Ratio, Inside: forecast.Allows(v),
		})
	}
	for _, f := range partly {
		notices = append(notices, unpark.Notice{
			Code:    "forecast-of-removal",
			Message: fmt.Sprintf("the forecast for %s is not judged: it is for its removal, and more than %.0f %% of it is left", titled(f), 100*mostLeft),
			Cure:    "judge it when it is gone",
		})
	}
	return out, notices
}

// fixed returns the findings of the run before that are gone or as good as gone,
// and those that shrank and are still there, as they were before.
func fixed(before unpark.Run, found []unpark.Changed) (gone, partly []unpark.Finding) {
	// changes keeps the order of the run before.
	for i, f := range before.Findings {
		if i >= len(found) {
			break
		}
		left, ok := remains(found[i])
		switch {
		case !ok || found[i].Change == same || found[i].Change == grown:
		case left <= mostLeft:
			gone = append(gone, f)
		default:
			partly = append(partly, f)
		}
	}
	return gone, partly
}

// promise returns the finding whose forecast of a metric the outcome belongs to, or
// the names of those that compete for it.
func promise(gone []unpark.Finding, metric string) (f *unpark.Finding, q unpark.Quantity, rivals []string) {
	bold := -1
	for i := range gone {
		p := predicted(gone[i], metric)
		switch {
		case !promises(p):
		case p.Allows(1):
			if f == nil {
				f, q = &gone[i], p
			}
		default:
			rivals, bold = append(rivals, titled(gone[i])), i
		}
	}
	switch len(rivals) {
	case 0:
		return f, q, nil
	case 1:
		return &gone[bold], predicted(gone[bold], metric), nil
	default:
		return nil, unpark.Quantity{}, rivals
	}
}

// promises reports whether something is forecast: of one end alone, if that is a change worth its name.
func promises(q unpark.Quantity) bool {
	if q.OneEnded() {
		return math.Abs(q.Low.Or(q.High.Or(1))-1) > unpark.LeastGain
	}
	return q.Known()
}

func predicted(f unpark.Finding, metric string) unpark.Quantity {
	switch metric {
	case throughput:
		return f.Prediction.Throughput
	case "p50":
		return f.Prediction.P50
	case tail:
		return f.Prediction.P99
	default:
		return unpark.Quantity{}
	}
}
