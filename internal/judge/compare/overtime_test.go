package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/unpark-go/unpark/internal/stats"
	"github.com/unpark-go/unpark/internal/stats/changepoint"
)

// history is n runs on a machine whose speed wanders; from run at on the service takes by as long.
func history(n, at int, by, slope float64) []Sample {
	random := rand.New(rand.NewPCG(7, uint64(n)))
	out := make([]Sample, n)
	pace := 0.0
	for i := range out {
		pace = 0.8*pace + 0.05*random.NormFloat64()
		slow := math.Exp(slope*pace + 0.01*random.NormFloat64())
		if i >= at {
			slow *= by
		}
		out[i] = Sample{
			throughput: 1000 / slow, cpuEach: 1e-4 * slow, tail: 0.01 * math.Exp(0.02*random.NormFloat64()), bytesEach: 700,
			Yardstick: 1.5e-4 * math.Exp(pace+0.01*random.NormFloat64()),
		}
	}
	return out
}

func logsOf(runs []Sample, name string) []float64 {
	out := make([]float64, len(runs))
	for i, s := range runs {
		out[i] = math.Log(s[name])
	}
	return out
}

// A change that the machine's own wandering hides is found once its speed is taken out, and its size is right; what does not follow the
// machine is left alone.
func TestOverTime(t *testing.T) {
	for _, slope := range []float64{0.7, 1, 1.4} {
		runs := history(60, 30, 1.06, slope)
		got, speed := OverTime(runs)
		if speed.Why != "" || !speed.Varied.Known() {
			t.Fatalf("slope %v: %+v", slope, speed)
		}
		before, after := stats.StdDev(logsOf(runs[:30], cpuEach)), stats.StdDev(logsOf(got[:30], cpuEach))
		if after > 0.45*before {
			t.Errorf("slope %v: runs differ by %.3f, corrected by %.3f", slope, before, after)
		}
		points := changepoint.Find(logsOf(got, cpuEach), changepoint.Options{})
		if len(points) != 1 || points[0].At < 28 || points[0].At > 32 || math.Abs(points[0].By-math.Log(1.06)) > 0.02 {
			t.Errorf("slope %v: changes %+v", slope, points)
		}
		for i := range got {
			if got[i][bytesEach] != runs[i][bytesEach] {
				t.Fatalf("bytes per request were corrected: %v", got[i])
			}
		}
	}
}

func TestOverTimeLeftAlone(t *testing.T) {
	runs := history(20, 20, 1, 1)
	delete(runs[3], Yardstick)
	none := []Sample{{tail: 1}, {tail: 2}}
	for name, tt := range map[string]struct {
		runs []Sample
		why  string
	}{
		"some have none": {runs, "1 of 20 runs have no measure of it"},
		"none has one":   {none, "the speed of the machine was not measured during these runs"},
		"too few":        {history(leastPaced, 0, 1, 1), "it takes more than 8 runs to tell what it does to the figures"},
		"no runs":        {nil, "the speed of the machine was not measured during these runs"},
	} {
		got, speed := OverTime(tt.runs)
		if speed.Why != tt.why || len(speed.Corrected) != 0 || len(got) != len(tt.runs) {
			t.Errorf("%s: %+v", name, speed)
		}
		for i := range got {
			if got[i][tail] != tt.runs[i][tail] {
				t.Errorf("%s: run %d was corrected", name, i)
			}
		}
	}
}
