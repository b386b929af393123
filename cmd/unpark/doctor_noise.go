package main

import (
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/doctor"
	"github.com/unpark-go/unpark/internal/measure/target"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

const (
	noiseSeconds     = 5
	noiseWarmup      = 1
	noiseConnections = 16
	// noisy is the difference between identical runs from which on two single runs
	// cannot show what is usually looked for.
	noisy = 0.1
)

// sampled is what one run against the sample gave.
type sampled struct{ rps, p50, p99, cpu float64 }

// noise measures the fixed sample twice in the same way and says by how much the two
// differ: for no reason but this machine.
func noise(ctx context.Context, s streams, quiet bool) []doctor.Reading {
	var runs [2]sampled
	for i := range runs {
		var err error
		if runs[i], err = sampleOnce(ctx, s, quiet, i+1); err != nil {
			return []doctor.Reading{{
				Group: doctor.Noise, Name: "identical runs", State: doctor.Unknown, Text: "unknown", Why: err.Error(),
				Cure: "leave them out: --quick",
			}}
		}
	}
	a, b := runs[0], runs[1]
	out := []doctor.Reading{
		differs("throughput", a.rps, b.rps), differs("p50", a.p50, b.p50),
		differs("p99", a.p99, b.p99), differs("cpu per request", a.cpu, b.cpu),
	}
	for i := range out {
		out[i].Group = doctor.Noise
	}
	return out
}

// differs says how far apart two identical runs were.
func differs(name string, a, b float64) doctor.Reading {
	d := unpark.Ratio(math.Abs(a-b), min(a, b))
	v, ok := d.Get()
	if !ok {
		return doctor.Reading{Name: name, State: doctor.Unknown, Text: "unknown", Why: "nothing was measured"}
	}
	r := doctor.Reading{
		Name: name, State: doctor.OK, Value: d, Unit: "ratio",
		Text: fmt.Sprintf("two identical runs of %d s differ by %.2g %%", noiseSeconds, 100*v),
	}
	if v > noisy {
		r.State, r.Why = doctor.Warn, "one run of each cannot show a smaller change"
		r.Cure = "end what else runs here, and compare many rounds in turns: unpark ab"
	}
	return r
}

// sampleOnce starts the sample, drives load at it for a while and stops it.
func sampleOnce(ctx context.Context, s streams, quiet bool, n int) (sampled, error) {
	self, err := os.Executable()
	if err != nil {
		return sampled{}, fmt.Errorf("find unpark's own binary, which is the sample service: %w", err)
	}
	t, err := target.Start(ctx, target.Spec{Command: []string{self, sampleName, "--fixed"}})
	if err != nil {
		return sampled{}, err
	}
	defer func() { _ = t.Stop() }() // what it says is of no use here
	ready, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if err := t.WaitReady(ready, ""); err != nil {
		return sampled{}, err
	}
	ports, err := t.Ports()
	if err != nil || len(ports) == 0 {
		return sampled{}, fmt.Errorf("find the sample's port: %w", err)
	}
	base := "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(ports[0]))
	plan := unpark.Plan{
		Mode: unpark.Closed, Connections: noiseConnections, Duration: noiseSeconds, Warmup: noiseWarmup, Timeout: 10, Seed: 1,
		Requests: products(base),
	}
	ps, err := t.Processes()
	if err != nil || len(ps) == 0 {
		return sampled{}, fmt.Errorf("find the sample's process: %w", err)
	}
	before, err := rusage.ReadProcess(ps[0].PID)
	if err != nil {
		return sampled{}, err
	}
	d := newDriver(s, quiet, plan)
	d.detail = fmt.Sprintf("identical run %d of 2", n)
	level, _, err := d.level(ctx, plan)
	d.progress.done()
	if err != nil {
		return sampled{}, err
	}
	after, err := rusage.ReadProcess(ps[0].PID)
	if err != nil {
		return sampled{}, err
	}
	l := level.Load
	// The CPU counts from before the warm-up, so it is divided by what that took too.
	seconds := plan.Duration + plan.Warmup
	return sampled{rps: l.AchievedRPS, p50: l.Response.P50, p99: l.Response.P99, cpu: (after.CPU - before.CPU) / seconds / max(l.AchievedRPS, 1)}, nil
}
