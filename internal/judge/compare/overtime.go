package compare

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// OverTime returns the samples of runs that can be compared, in the order of time, as they would be on a machine that is always as fast as it
// was on average, and says what was corrected. Nothing is where a run has no yardstick: a series that is corrected in part has a step where
// that begins. The slope of each metric is estimated from the differences between neighbours, which a change of the service meets once, and
// drawn towards 1 as in rounds (decision 17).
//
// What a change of the service itself does to the yardstick, by what it leaves of the caches, is taken out as well: who doubts a step looks
// at the series as it was measured.
func OverTime(runs []Sample) ([]Sample, unpark.MachineSpeed) {
	speed := unpark.MachineSpeed{Corrected: []string{}}
	logs := make([]float64, len(runs))
	missing := 0
	for i, s := range runs {
		if logs[i] = yard(s); math.IsNaN(logs[i]) {
			missing++
		}
	}
	switch {
	case missing == len(runs):
		speed.Why = "the speed of the machine was not measured during these runs"
	case missing > 0:
		speed.Why = fmt.Sprintf("%d of %d runs have no measure of it", missing, len(runs))
	case len(runs) <= leastPaced:
		speed.Why = fmt.Sprintf("it takes more than %d runs to tell what it does to the figures", leastPaced)
	}
	if missing == 0 && len(runs) > 1 {
		speed.Varied = unpark.Measured(stats.StdDev(logs), "ratio", int64(len(runs)))
	}
	if speed.Why != "" {
		return runs, speed
	}
	slopes := map[string]float64{}
	for _, m := range metrics() {
		if b, ok := m.slope(neighbouring(runs)); ok {
			slopes[m.name] = b
			speed.Corrected = append(speed.Corrected, m.name)
		}
	}
	if len(slopes) == 0 {
		speed.Why = nothingPaced
	}
	mean := stats.Mean(logs)
	out := make([]Sample, len(runs))
	for i, s := range runs {
		out[i] = Sample{}
		for name, v := range s {
			out[i][name] = v * math.Exp(-slopes[name]*(logs[i]-mean))
		}
	}
	return out, speed
}

// neighbouring holds the ratio of each run to the one before it, as rounds whose arms are alike: so that slope, which reads the means of
// rounds, reads differences between neighbours.
func neighbouring(runs []Sample) []Pair {
	var out []Pair
	for i := 1; i < len(runs); i++ {
		ratio := Sample{}
		for name, v := range runs[i] {
			if was := runs[i-1][name]; was > 0 && v > 0 {
				ratio[name] = v / was
			}
		}
		out = append(out, Pair{ratio, ratio})
	}
	return out
}
