package compare

import "github.com/unpark-go/unpark"

// The changes of a finding.
const (
	gone   = "gone"
	shrunk = "shrunk"
	grown  = "grown"
	added  = "new"
)

// band is the change of a finding's cost, as a share, that one round of each
// cannot tell from chance.
const band = 0.20

// identity is what makes two findings the same one. The line may move when code
// above it changes; the function stays.
type identity struct {
	rule     string
	class    unpark.Class
	function string
}

func identify(f unpark.Finding) identity { return identity{f.Rule, f.Class, f.Site.Function} }

// changes says what became of each finding: those of the run before in their
// order (with the cost that they have after, when they still exist), then what
// is new.
func changes(before, after unpark.Run) []unpark.Changed {
	later := map[identity][]unpark.Finding{}
	for _, f := range after.Findings {
		later[identify(f)] = append(later[identify(f)], f)
	}
	out := []unpark.Changed{}
	for _, f := range before.Findings {
		id := identify(f)
		if len(later[id]) == 0 {
			out = append(out, unpark.Changed{Finding: f, Change: gone})
			continue
		}
		now := later[id][0]
		later[id] = later[id][1:]
		out = append(out, unpark.Changed{Finding: now, Change: change(f.Cost, now.Cost)})
	}
	for _, f := range after.Findings {
		id := identify(f)
		if len(later[id]) > 0 {
			out = append(out, unpark.Changed{Finding: later[id][0], Change: added})
			later[id] = later[id][1:]
		}
	}
	return out
}

// change judges by the cost in absolute units, per request where both have it:
// a share grows when something else is fixed.
func change(before, after unpark.Cost) string {
	for _, pair := range [][2]unpark.Quantity{
		{before.WaitPerRequest, after.WaitPerRequest},
		{before.MeanWaiters, after.MeanWaiters},
		{before.CPUPerRequest, after.CPUPerRequest},
		{before.BytesPerRequest, after.BytesPerRequest},
		{before.Cores, after.Cores},
		{before.GrowthPerSecond, after.GrowthPerSecond},
		{before.Throttled, after.Throttled},
		{before.Goroutines, after.Goroutines},
	} {
		a, ok := pair[0].Value.Get()
		b, also := pair[1].Value.Get()
		if !ok || !also || a <= 0 {
			continue
		}
		switch ratio := b / a; {
		case ratio < 1-band:
			return shrunk
		case ratio > 1+band:
			return grown
		default:
			return same
		}
	}
	return same
}

// forecasts puts the prediction for the first finding of the run before beside
// what was measured: that is the fix that the report asked for.
func forecasts(before unpark.Run, effects []unpark.Effect) []unpark.Forecast {
	if len(before.Findings) == 0 {
		return nil
	}
	p := before.Findings[0].Prediction
	predicted := map[string]unpark.Quantity{"throughput": p.Throughput, "p50": p.P50, "p99": p.P99}
	var out []unpark.Forecast
	for _, e := range effects {
		q, ok := predicted[e.Metric]
		v, measured := e.Ratio.Value.Get()
		if !ok || !q.Known() || !measured {
			continue
		}
		out = append(out, unpark.Forecast{Metric: e.Metric, Predicted: q, Measured: e.Ratio, Inside: q.Contains(v)})
	}
	return out
}
