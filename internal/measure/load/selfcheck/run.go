package selfcheck

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
)

const (
	stallLength = 20 * time.Second // four periods
	stallRate   = 1000.0
	pacedLength = 5 * time.Second
	pacedRate   = 2000.0
	connections = 50
	// warmup is longer than a freeze: whatever the load began in has passed then.
	warmup    = 2 * time.Second
	timeout   = 10 * time.Second // more than a freeze, so that nothing is given up
	patience  = 5 * time.Second
	showEvery = 250 * time.Millisecond
	protoGRPC = "grpc"
)

// Host is what the checks need of the machine.
type Host interface {
	// Serve starts a server, by [Serve], in a process of its own.
	Serve(ctx context.Context, s Service) (Server, error)
	// Used returns the CPU seconds that everything on the machine has used since
	// it started, steal included.
	Used() unpark.Number
}

// Server is a server that was started.
type Server struct {
	URL  string
	CPU  func() unpark.Number // CPU seconds that it has used
	Stop func() error
}

// Options say how to check.
type Options struct {
	Short    bool   // half as long
	Protocol string // of unpark.Plan
	Host     Host
	// Progress may be nil; it is called several times a second.
	Progress func(phase string, left time.Duration, live load.Live)
}

// Run carries out all checks; with -short it takes half a minute, else one. An
// error means that they could not be carried out, not that one failed: see their
// verdicts. When ctx ends, the checks that were finished come with the error.
func Run(ctx context.Context, o Options) ([]Check, error) {
	var out []Check
	for _, step := range []func(context.Context, Options) ([]Check, error){stallOpen, stallClosed, paced} {
		checks, err := step(ctx, o)
		if err != nil {
			return out, err
		}
		out = append(out, checks...)
	}
	return out, nil
}

// experiment is one load at one server.
type experiment struct {
	name    string
	service Service
	plan    unpark.Plan
	length  time.Duration
}

// result is what came of it.
type result struct {
	load   unpark.Load
	server Stats
	around surroundings
}

func stallOpen(ctx context.Context, o Options) ([]Check, error) {
	e := experiment{"stall, open", stalled(), unpark.Plan{Mode: unpark.Constant, RateRPS: stallRate}, o.length(stallLength)}
	r, err := e.run(ctx, o)
	if err != nil {
		return nil, err
	}
	return stallChecks(e, r, stallRate*e.length.Seconds(), openTruth), nil
}

func stallClosed(ctx context.Context, o Options) ([]Check, error) {
	e := experiment{"stall, closed", ticking(), unpark.Plan{Mode: unpark.Closed}, o.length(stallLength)}
	r, err := e.run(ctx, o)
	if err != nil {
		return nil, err
	}
	periods := float64(e.length / e.service.Period)
	return stallChecks(e, r, connections*periods*perPeriod(e.service), closedTruth), nil
}

// stallChecks compares counts and quantiles with the truth.
func stallChecks(e experiment, r result, sent float64, truth func(Service, float64) float64) []Check {
	l := r.load.Response
	out := []Check{judge(e.name+": requests", about(sent, countShare, "count"), unpark.Measured(float64(l.N), "count", l.N), sent*busyTruth, r.around)}
	for _, q := range []struct {
		name string
		at   float64
		got  float64
	}{{"p90", 0.90, l.P90}, {"p99", 0.99, l.P99}} {
		want := truth(e.service, q.at)
		out = append(out, judge(e.name+": response "+q.name, about(want, truthShare, "s"), unpark.Measured(q.got, "s", l.N), want*busyTruth, r.around))
	}
	return out
}

// paced asks whether requests leave when they are due, and answers are seen when
// they come.
func paced(ctx context.Context, o Options) ([]Check, error) {
	e := experiment{"pacing", steady(), unpark.Plan{Mode: unpark.Constant, RateRPS: pacedRate}, o.length(pacedLength)}
	r, err := e.run(ctx, o)
	if err != nil {
		return nil, err
	}
	return pacedChecks(e, r), nil
}

func pacedChecks(e experiment, r result) []Check {
	l, inside := r.load, r.server.P50
	sent := pacedRate * e.length.Seconds()
	ratio := unpark.Quantity{Value: unpark.Ratio(l.Response.P50, inside), Unit: "ratio", N: min(l.Response.N, r.server.N)}
	return []Check{
		judge(e.name+": requests", about(sent, countShare, "count"), unpark.Measured(float64(l.Response.N), "count", l.Response.N), sent*busyTruth, r.around),
		judge(e.name+": lag p50", atMost(mostLag, "s"), unpark.Measured(l.Lag.P50, "s", l.Lag.N), slice, r.around),
		judge(e.name+": lag p99", unpark.Quantity{Unit: "s"}, unpark.Measured(l.Lag.P99, "s", l.Lag.N), 0, r.around),
		judge(e.name+": time inside the server p50", unpark.Quantity{Unit: "s"}, unpark.Measured(inside, "s", r.server.N), 0, r.around),
		judge(e.name+": response p50", unpark.Quantity{Unit: "s"}, unpark.Measured(l.Response.P50, "s", l.Response.N), 0, r.around),
		judge(e.name+": response ÷ inside, p50", atMost(mostRatio, "ratio"), ratio, slice/max(inside, 1e-9), r.around),
	}
}

// request is what is asked of the server, which answers all alike.
func (o Options) request(base string) unpark.Request {
	if o.Protocol != protoGRPC {
		return unpark.Request{Method: "GET", URL: base}
	}
	return unpark.Request{URL: "grpc" + strings.TrimPrefix(base, "http") + "unpark.Selfcheck/Ask", Body: make([]byte, 5)} // an empty message
}

func (o Options) length(d time.Duration) time.Duration {
	if o.Short {
		return d / 2
	}
	return d
}

// run starts the server, loads it and collects what both sides saw.
func (e experiment) run(ctx context.Context, o Options) (r result, err error) {
	server, err := o.Host.Serve(ctx, e.service)
	if err != nil {
		return r, fmt.Errorf("selfcheck: start the server of %q: %w", e.name, err)
	}
	defer func() {
		if stopped := server.Stop(); err == nil && stopped != nil {
			err = fmt.Errorf("selfcheck: stop the server of %q: %w", e.name, stopped)
		}
	}()
	plan := e.plan
	plan.Connections, plan.Protocol, plan.Seed, plan.Timeout = connections, o.Protocol, 1, timeout.Seconds()
	plan.Requests = []unpark.Request{o.request(server.URL)}
	g, err := load.Start(ctx, plan)
	if err != nil {
		return r, err
	}
	defer g.Stop()
	if err := o.wait(ctx, e.name+": warm-up", warmup, g); err != nil {
		return r, err
	}
	if _, err := askStats(ctx, server.URL); err != nil { // forgets the warm-up
		return r, err
	}
	used, cpu := o.Host.Used(), server.CPU()
	stretch := g.Begin("window")
	if err := o.wait(ctx, e.name, e.length, g); err != nil {
		return r, err
	}
	g.Begin("rest")
	used, cpu = since(used, o.Host.Used()), since(cpu, server.CPU())
	timed, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r.load = stretch.Load(timed)
	if r.server, err = askStats(ctx, server.URL); err != nil {
		return r, err
	}
	r.around = around(r.load, used, cpu)
	return r, ctx.Err()
}

// around says what the machine did beside the experiment.
func around(l unpark.Load, used, server unpark.Number) surroundings {
	s := surroundings{cpus: runtime.NumCPU()}
	all, okAll := used.Get()
	inside, okInside := server.Get()
	own, okOwn := l.GeneratorCPU.Get()
	if okAll && okInside && okOwn && l.Seconds > 0 {
		s.others = unpark.Num(max(0, (all-inside)/l.Seconds-own))
	}
	switch {
	case l.Errors > 0:
		s.broken = fmt.Sprintf("%s failed, the first: %s", unpark.Counted(l.Errors, "request"), l.ErrorSample)
	case l.Unfinished > 0:
		s.broken = fmt.Sprintf("%s had no answer after %v", unpark.Counted(l.Unfinished, "request"), patience)
	}
	return s
}

func since(from, to unpark.Number) unpark.Number {
	a, okA := from.Get()
	b, okB := to.Get()
	if !okA || !okB {
		return unpark.Number{}
	}
	return unpark.Num(b - a)
}

// wait sleeps while the load goes on, and shows it.
func (o Options) wait(ctx context.Context, phase string, length time.Duration, g *load.Generator) error {
	end := time.NewTimer(length)
	defer end.Stop()
	until := time.Now().Add(length)
	tick := time.NewTicker(showEvery)
	defer tick.Stop()
	for {
		if o.Progress != nil {
			o.Progress(phase, max(0, time.Until(until)), g.Live())
		}
		select {
		case <-end.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
