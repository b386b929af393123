package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/steady"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
	"github.com/unpark-go/unpark/internal/measure/target/sockets"
	"github.com/unpark-go/unpark/internal/report"
)

const (
	// mostPatience is how long answers may still come in after the measurement: a
	// request that takes longer counts with its age, as a lower bound.
	mostPatience = 10 * time.Second
	// lastPatience is the same after Ctrl-C.
	lastPatience = 500 * time.Millisecond
	showEvery    = 250 * time.Millisecond
)

// driver drives loads of one plan and shows how they go.
type driver struct {
	plan     unpark.Plan
	shared   bool // the target is on this machine
	progress *progress

	mu     sync.Mutex // guards the rest, and the progress
	name   string
	until  time.Time
	detail string
}

func newDriver(s streams, quiet bool, plan unpark.Plan) *driver {
	return &driver{plan: plan, shared: onThisMachine(plan.Requests), progress: newProgress(s.err, quiet)}
}

// onThisMachine reports whether a request goes to this machine: generator and
// target then share its processors.
func onThisMachine(requests []unpark.Request) bool {
	for _, r := range requests {
		if strings.HasPrefix(r.URL, unpark.Unix) {
			return true
		}
		u, err := url.Parse(r.URL)
		if err != nil {
			continue
		}
		if addr, err := netip.ParseAddr(u.Hostname()); err == nil && addr.Unmap().IsLoopback() {
			return true
		}
		if _, ok := sockets.Listening(net.JoinHostPort(u.Hostname(), portOf(u))); ok {
			return true
		}
	}
	return false
}

func portOf(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

// level warms up, measures one stretch and judges it. The level is nil when it
// ended before anything was measured; with an error beside it, it is partial.
func (d *driver) level(ctx context.Context, plan unpark.Plan) (*report.LoadLevel, []unpark.Notice, error) {
	// The load goes on after Ctrl-C until what was measured is collected.
	g, err := load.Start(context.WithoutCancel(ctx), plan)
	if err != nil {
		return nil, nil, err
	}
	defer g.Stop()
	stop := d.show(g)
	defer stop()
	d.phase("warm-up", duration(plan.Warmup), "")
	if wait(ctx, duration(plan.Warmup)) != nil {
		return nil, nil, fmt.Errorf("interrupted during the warm-up: nothing was measured")
	}
	settled, err := d.settle(ctx, g, &plan)
	if err != nil {
		return nil, nil, err
	}
	before, begun := machine(), time.Now()
	stretch := g.First()
	if plan.Warmup > 0 || plan.P99Within > 0 {
		stretch = g.Begin("window")
	}
	d.phase("measure", duration(plan.Duration), "")
	interrupted := wait(ctx, duration(plan.Duration))
	g.Begin("rest")
	after, took := machine(), time.Since(begun)
	l := d.collect(ctx, stretch, plan)
	c := conditions(before, after, took)
	c.CPUs, c.Shared = len(confine.Allowed()), d.shared
	void, warnings := load.Judge(l, c)
	if plan.P99Within > 0 {
		var notices []unpark.Notice
		l.Precision, notices = settled.Judge(l, g.Ticks())
		warnings = append(warnings, notices...)
	}
	level := &report.LoadLevel{Level: plan.Level(), Void: void, Load: l}
	if interrupted != nil {
		return level, warnings, fmt.Errorf("interrupted after %v of %v", took.Round(100*time.Millisecond), duration(plan.Duration))
	}
	return level, warnings, nil
}

// settle lets the load become steady where the plan asks how well its p99 is to be known,
// and makes the measurement as long as that takes.
func (d *driver) settle(ctx context.Context, g *load.Generator, plan *unpark.Plan) (steady.Settled, error) {
	if plan.P99Within == 0 {
		return steady.Settled{}, nil
	}
	pause := func(ctx context.Context, seconds float64) error {
		d.enter("warm-up", duration(seconds))
		if wait(ctx, duration(seconds)) != nil {
			return errors.New("interrupted during the warm-up: nothing was measured")
		}
		return nil
	}
	s, err := steady.Settle(ctx, plan.P99Within, plan.Duration, steady.Blocks(g, pause))
	if err != nil {
		return s, err
	}
	plan.Duration = s.Window
	d.mu.Lock()
	defer d.mu.Unlock()
	d.progress.show(investigate.Event{Phase: "steady", Detail: s.String()})
	return s, nil
}

// collect waits for the last answers, while the load goes on: a target that is
// suddenly left alone would answer them faster.
func (d *driver) collect(ctx context.Context, s *load.Stretch, plan unpark.Plan) unpark.Load {
	patience := min(mostPatience, duration(plan.Timeout))
	d.enter("last answers", patience) // told only if it takes a while
	timed, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	hurry := context.AfterFunc(ctx, func() { time.AfterFunc(lastPatience, cancel) })
	defer hurry()
	return s.Load(timed)
}

// wait sleeps unless ctx ends first.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// machine returns nil where the usage of the machine cannot be read.
func machine() *rusage.Machine {
	u, err := rusage.ReadMachine()
	if err != nil {
		return nil
	}
	return &u
}

// conditions says what the machine did between two readings.
func conditions(before, after *rusage.Machine, took time.Duration) load.Conditions {
	if before == nil || after == nil || took <= 0 {
		return load.Conditions{}
	}
	return load.Conditions{
		Machine: unpark.Ratio(after.Busy-before.Busy, took.Seconds()),
		Steal:   unpark.Ratio(after.Steal-before.Steal, took.Seconds()),
	}
}

// phase says what goes on now, and for how long.
func (d *driver) phase(name string, length time.Duration, detail string) {
	d.enter(name, length)
	d.mu.Lock()
	defer d.mu.Unlock()
	if detail == "" {
		detail = d.detail
	}
	d.progress.show(investigate.Event{Phase: name, Left: length, Detail: detail})
}

// enter notes what goes on now; show tells it before long.
func (d *driver) enter(name string, length time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.name, d.until = name, time.Now().Add(length)
}

// show tells how the load goes, four times a second, until its result is called.
func (d *driver) show(g *load.Generator) (stop func()) {
	done := make(chan struct{})
	var loop sync.WaitGroup
	loop.Go(func() {
		t := time.NewTicker(showEvery)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
				now := g.Live()
				d.mu.Lock()
				d.progress.show(investigate.Event{Phase: d.name, Left: max(0, time.Until(d.until)), Detail: d.detail, Live: &now})
				d.mu.Unlock()
			}
		}
	})
	return func() {
		close(done)
		loop.Wait()
	}
}
