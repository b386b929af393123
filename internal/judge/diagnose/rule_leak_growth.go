package diagnose

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
)

// trend is a straight line through counts at even steps.
type trend struct {
	slope float64 // a step
	half  float64 // half width of the slope's 90 % interval
	noise float64 // standard deviation of the counts about the line
}

func (t trend) low() float64 { return t.slope - t.half }

// trendOf fits the line by least squares; fewer than three counts show none.
func trendOf(counts []float64) trend {
	if len(counts) < 3 {
		return trend{half: math.Inf(1)}
	}
	steps := make([]float64, len(counts))
	for i := range steps {
		steps[i] = float64(i)
	}
	slope, se, noise := stats.Line(steps, counts)
	return trend{slope: slope, half: stats.StudentQuantile(0.95, len(counts)-2) * se, noise: noise}
}

// runtimeGrowth is by how much the runtime's own count of goroutines
// (/sched/goroutines:goroutines) grew within the window, without those of
// connections that idle.
type runtimeGrowth struct {
	growth, half float64
	dumped       bool // by the dumps of all goroutines, not by the runtime's own count
}

// confirms reports whether the count grew for certain, and by half of what a group of
// the dumps did or more.
func (g runtimeGrowth) confirms(of facts.GoroutineGroup) bool {
	s := of.Series
	return g.growth-g.half > 0 && g.growth >= (s[len(s)-1]-s[0])/2
}

// growthOf reads the count at both ends of the window. What one reading may be off
// by follows from how the dumps spread about their own trend: by one goroutine at least.
// Where a process that runs Go does not say it, the dumps stand in if the second signal is
// the number of requests: each dump holds all goroutines of an instant, whatever their
// stacks (runtime/mprof.go, goroutineProfileWithLabels), and requests must leave so many
// behind that it can't be chance. False else.
func growthOf(m *model.Model) (g runtimeGrowth, known bool) {
	var all, idle []float64
	for _, group := range m.Ev.Goroutines {
		all = added(all, group.Series)
		if group.Connection {
			idle = added(idle, group.Series)
		}
	}
	noise := 1.0
	if len(all) >= 3 {
		noise = max(noise, trendOf(all).noise)
	}
	g.half = stats.Z90 * math.Sqrt2 * noise
	g.growth, known = goroutinesMore(m)
	if !known && len(all) >= leakSnapshots {
		g.growth, g.dumped = all[len(all)-1]-all[0], true
		known = m.PerRequest(g.growth).Or(0) >= leakPerRequest
	}
	if n := len(idle); n > 0 {
		g.growth -= max(0, idle[n-1]-idle[0])
	}
	return g, known
}

// goroutinesMore is by how much the runtime's own count of goroutines grew.
func goroutinesMore(m *model.Model) (growth float64, known bool) {
	for _, p := range m.Ev.Window.Processes {
		if p.Metrics == (unpark.Metrics{}) && !p.GOMAXPROCS.Known() {
			continue // a shell, or a parent that is not a Go program
		}
		from, ok := p.Metrics.GoroutineStart.Get()
		to, also := p.Metrics.GoroutineEnd.Get()
		if !ok || !also {
			return 0, false
		}
		known = true
		growth += to - from
	}
	return growth, known
}

// added adds up series, the shorter ones from their begin.
func added(sum, series []float64) []float64 {
	for i, v := range series {
		if i == len(sum) {
			sum = append(sum, 0)
		}
		sum[i] += v
	}
	return sum
}
