package window

import (
	"context"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// BenchmarkTraceProfiled holds traces beside which a CPU profile is recorded against traces by themselves, in turns: the service
// at $UNPARK_TRACED_URL, whose probe or pprof endpoint is $UNPARK_TRACED_PPROF, fifteen pairs of 3 s by 100 connections. It reports
// the medians of the pairs' ratios, profiled ÷ not.
func BenchmarkTraceProfiled(b *testing.B) {
	url, address := os.Getenv("UNPARK_TRACED_URL"), os.Getenv("UNPARK_TRACED_PPROF")
	if url == "" || address == "" {
		b.Skip("there is no service in $UNPARK_TRACED_URL and $UNPARK_TRACED_PPROF")
	}
	const pairs, length = 15, 3 * time.Second
	e, err := NewEndpoint(address, "")
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	plan := unpark.Plan{Mode: unpark.Closed, Connections: 100, Timeout: 10, Requests: []unpark.Request{{Method: "GET", URL: url}}}
	g, err := load.Start(context.Background(), plan)
	if err != nil {
		b.Fatal(err)
	}
	defer g.Stop()
	time.Sleep(2 * time.Second)
	turn := func(with bool) (unpark.Load, int64) {
		r := &recording{}
		end := func() {}
		if with {
			end = profiled(context.Background(), []*member{{endpoint: e}}, length)
		}
		s := g.Begin("trace")
		e.record(context.Background(), e.base+"trace?seconds="+strconv.FormatFloat(length.Seconds(), 'f', -1, 64), maxTrace, r)
		g.Begin("reading")
		end()
		if r.err != nil {
			b.Fatal(r.err)
		}
		return s.Load(context.Background()), r.bytes
	}
	for b.Loop() {
		ratios := map[string][]float64{}
		for i := range pairs {
			var of [2]unpark.Load
			var bytes [2]int64
			for _, with := range [][]int{{0, 1}, {1, 0}}[i%2] {
				of[with], bytes[with] = turn(with == 1)
			}
			for name, v := range map[string][2]float64{
				"throughput": {of[0].AchievedRPS, of[1].AchievedRPS},
				"p50":        {of[0].Response.P50, of[1].Response.P50},
				"p99":        {of[0].Response.P99, of[1].Response.P99},
				"bytes/req":  {float64(bytes[0]) / float64(of[0].Requests), float64(bytes[1]) / float64(of[1].Requests)},
			} {
				ratios[name] = append(ratios[name], v[1]/v[0])
			}
		}
		for name, all := range ratios {
			slices.Sort(all)
			b.ReportMetric(all[len(all)/2], name+"-ratio")
			b.Logf("%s, profiled ÷ not: %.3f", name, all)
		}
	}
}
