package investigate

import (
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// testConfig is a short run against this test binary as the target.
func testConfig(tb testing.TB, path string, plan unpark.Plan) Config {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	addr := ln.Addr().String()
	ln.Close()
	plan.Requests = []unpark.Request{{Method: "GET", URL: "http://" + addr + path}}
	plan.Timeout = 10
	return Config{
		Command: []string{self}, Env: []string{"UNPARK_TEST_SERVICE=plain", "UNPARK_TEST_ADDR=" + addr},
		Plan: plan, Dir: filepath.Join(tb.TempDir(), "run"), Rates: window.DefaultRates(), Ready: 20 * time.Second,
	}
}

// BenchmarkCaptureCost measures what the default capture costs: throughput with
// it ÷ without it, each round with an unprofiled stretch on both sides of the
// profiled one, in one process under one load (DESIGN §6: at least 0.97).
func BenchmarkCaptureCost(b *testing.B) {
	for _, path := range []string{"/plain", "/lock"} {
		b.Run(path[1:], func(b *testing.B) {
			var ratios []float64
			for range b.N {
				c := testConfig(b, path, unpark.Plan{Mode: unpark.Closed, Connections: 32, Warmup: 1, Duration: 4})
				c.Baseline = 4 * time.Second
				outcome, err := Run(context.Background(), c)
				if err != nil {
					b.Fatal(err)
				}
				if v, ok := outcome.Run.Windows[0].Observer.Throughput.Get(); ok {
					ratios = append(ratios, v)
				}
			}
			slices.Sort(ratios)
			b.ReportMetric(quantile(ratios, 0.5), "profiled/unprofiled")
			b.ReportMetric(quantile(ratios, 0.1), "p10")
			b.ReportMetric(quantile(ratios, 0.9), "p90")
			b.ReportMetric(0, "ns/op") // the length of a round is chosen, not measured
		})
	}
}

// quantile reads sorted values; rounds on a shared machine have outliers that
// would rule a mean.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[int(math.Round(q*float64(len(sorted)-1)))]
}

// BenchmarkVerdict measures the time from a window's files to the verdict: all
// kinds of 8 processes decoded, merged, reduced and judged (DESIGN §6: 2 s).
func BenchmarkVerdict(b *testing.B) {
	c := testConfig(b, "/plain", unpark.Plan{Mode: unpark.Closed, Connections: 32, Warmup: 1, Duration: 4})
	outcome, err := Run(context.Background(), c)
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 8} {
		b.Run(fmt.Sprintf("processes=%d", n), func(b *testing.B) {
			run := outcome.Run
			w := run.Windows[0]
			var profiles []unpark.ProfileFile
			for range n {
				profiles = append(profiles, w.Profiles...)
			}
			w.Profiles = profiles
			run.Windows = []unpark.Window{w}
			for b.Loop() {
				fresh := run
				in, bad := input(fresh, 0, outcome.Dir)
				if len(bad) > 0 {
					b.Fatal(bad)
				}
				fresh.Windows = []unpark.Window{w}
				conclude(&fresh, 0, in, true)
			}
		})
	}
}
