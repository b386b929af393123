package check_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/check"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// TestFalsePositives measures how often identical runs break a budget, and holds the
// figures that docs/check.md states.
func TestFalsePositives(t *testing.T) {
	for _, c := range []struct {
		line      string
		baselines int
		most      float64
	}{
		{"", 1, 0.20},
		{"", 2, 0.12},
		{"", 3, 0.05},
		{"", 5, 0.05},
		{"", 8, 0.06},
		{"throughput: at least -5%", 1, 0.06},
		{"throughput: at least -5%", 3, 0.03},
		{"bytes_per_request: <= +5%", 1, 0.03},
		{"bytes_per_request: <= +5%", 5, 0.02},
	} {
		b := check.Default()
		if c.line != "" {
			var err error
			if b, err = check.Read("b", []byte(c.line)); err != nil {
				t.Fatal(err)
			}
		}
		r := check.FalsePositives(b, c.baselines)
		rate, worst := r.All.Value.Or(1), r.All.High.Or(0)
		var services []string
		for _, s := range r.Services {
			services = append(services, fmt.Sprintf("%s %.3f", s.Service, s.Share))
		}
		t.Logf("%-28s %d baselines: %.3f, n %d: %s", c.line, c.baselines, rate, r.All.N, strings.Join(services, ", "))
		if rate > c.most || worst < rate || len(r.Services) != 3 || r.Baselines != c.baselines {
			t.Errorf("%q against %d: %.3f of identical runs are called broken, want at most %g", c.line, c.baselines, rate, c.most)
		}
		if again := check.FalsePositives(b, c.baselines); again.All != r.All {
			t.Errorf("%q: %v the second time, %v the first", c.line, again.All, r.All)
		}
	}
	for _, line := range []string{"p99: < 50ms", "errors: <= +0%", `waiters: {"*": <= +5%}`, "no_new_findings: any"} {
		b, err := check.Read("b", []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if r := check.FalsePositives(b, 3); r.All.Known() {
			t.Errorf("%s: %v, and nothing was recorded of it", line, r.All)
		}
	}
	// Of two bounds on one metric the strict one breaks.
	one, _ := check.Read("b", []byte("throughput: at least -5%\np50: <= +1%"))
	two, _ := check.Read("b", []byte("throughput: [at least -50%, at least -5%]\np50: [<= +1%, <= +900%]"))
	if a, b := check.FalsePositives(one, 1), check.FalsePositives(two, 1); a.All != b.All || !a.All.Known() {
		t.Errorf("%v and with a laxer bound beside it %v", a.All, b.All)
	}
	if r := check.FalsePositives(check.Default(), 40); r.All.Known() {
		t.Errorf("more baselines than runs: %v", r.All)
	}
}

// TestBands: what one band covers compare calls no change either, and what it calls one
// is beyond a band here.
func TestBands(t *testing.T) {
	change := map[string]func(f *figures, by float64){
		"throughput":        func(f *figures, by float64) { f.rps /= by },
		"p50":               func(f *figures, by float64) { f.p50 *= by },
		"p99":               func(f *figures, by float64) { f.p99 *= by },
		"cpu_per_request":   func(f *figures, by float64) { f.cpu *= by },
		"bytes_per_request": func(f *figures, by float64) { f.bytes *= by },
	}
	for metric, apply := range change {
		line := metric + ": <= +0%"
		if metric == "throughput" {
			line = metric + ": at least -0%"
		}
		base := run(usual())
		one := judged(t, check.Subject{Run: with(func(f *figures) { apply(f, 1.01) }), Baselines: []unpark.Run{base}}, line)
		// One baseline: three bands.
		band := math.Pow(1+math.Abs(one.Noise.Or(0)), 1.0/3)
		if metric == "throughput" {
			band = math.Pow(1-math.Abs(one.Noise.Or(0)), -1.0/3)
		}
		for _, by := range []float64{band * 0.999, 4 * band} {
			c := compare.Runs(base, with(func(f *figures) { apply(f, by) }))
			for _, e := range c.Effects {
				if e.Metric == metric && (e.Verdict == "worse") != (by > band) {
					t.Errorf("%s: ×%.4f is %s in compare, the band here is %.4f", metric, by, e.Verdict, band)
				}
			}
		}
	}
	// And fourteen rounds are what unpark ab begins with.
	if _, why := compare.Enough(nil, compare.Options{}); !strings.Contains(why, "at least 14 rounds") {
		t.Errorf("unpark ab takes %q", why)
	}
}
