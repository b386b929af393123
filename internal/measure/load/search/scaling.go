package search

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats/usl"
)

// ScalingOf says what a sweep shows: where it stops paying, and the law that its
// levels follow. The seed is that of the bootstrap. False with fewer than three
// levels.
func ScalingOf(levels []Level, seed uint64) (unpark.Scaling, bool) {
	if len(levels) < kneeLevels {
		return unpark.Scaling{}, false
	}
	var s unpark.Scaling
	if k, ok := KneeOf(levels); ok {
		s.Knee = &k
	}
	var points []usl.Point
	for _, l := range levels {
		if l.At.Connections > 0 && l.At.RateRPS == 0 && l.Load.AchievedRPS > 0 {
			points = append(points, usl.Point{N: float64(l.At.Connections), X: l.Load.AchievedRPS})
		}
	}
	if f, err := usl.Fit(points, seed); err == nil {
		s.USL = scalingLaw(f)
	}
	return s, true
}

func scalingLaw(f usl.Law) *unpark.USL {
	of := func(i usl.Interval, unit string) unpark.Quantity {
		return unpark.Between(i.Value, i.Low, i.High, unit, int64(f.Levels))
	}
	return &unpark.USL{
		Lambda: of(f.Lambda, "req/s"), Sigma: of(f.Sigma, "ratio"), Kappa: of(f.Kappa, "ratio"),
		Peak: of(f.Peak, "count"), PeakRPS: of(f.PeakX, "req/s"),
		Residual: finite(f.Residual), Extrapolates: f.Extrapolates, Reason: f.Reason,
	}
}

// finite keeps a figure writable as JSON.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 1
	}
	return v
}
