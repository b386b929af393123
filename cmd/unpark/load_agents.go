package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/search"
	"github.com/unpark-go/unpark/internal/measure/load/steady"
	"github.com/unpark-go/unpark/internal/report"
)

// fromAgents drives the load from other machines.
func (l *loadFlags) fromAgents(ctx context.Context, s streams, quiet bool, plan unpark.Plan, f *fleetFlags) (*report.LoadRun, error) {
	slo, err := l.promise()
	if err != nil {
		return nil, err
	}
	say := s.err
	if quiet {
		say = io.Discard
	}
	opened, err := f.open(ctx, say)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	d := newDriver(s, quiet, plan)
	d.phase("agents", 0, "waiting for "+f.agents)
	chosen, err := opened.Choose(ctx, f.agents, f.wait)
	if err != nil {
		return nil, err
	}
	d.plan.Hosts = nil // each agent looks names up for itself
	o := manyLoad{driver: d, fleet: opened, agents: chosen}
	var r *report.LoadRun
	if slo != nil {
		r, err = o.search(ctx, search.Options{SLO: *slo, Seed: plan.Seed})
	} else {
		r, err = o.levels(ctx)
	}
	d.progress.done()
	return r, err
}

// errUntrusted says that of a level there is nothing, because every part of it is void.
var errUntrusted = errors.New("no agent's part can be trusted")

// manyLoad is a load that agents drive.
type manyLoad struct {
	*driver
	fleet  *fleet.Fleet
	agents []fleet.Agent
}

// levels measures every level of the plan.
func (o manyLoad) levels(ctx context.Context) (*report.LoadRun, error) {
	r := &report.LoadRun{Plan: o.plan.Redacted()}
	var warnings [][]unpark.Notice
	var failed error
	plans := o.plan.Plans()
	for i, level := range plans {
		if len(plans) > 1 {
			o.detail = fmt.Sprintf("level %d of %d: %s", i+1, len(plans), levelName(level))
		}
		one, notices, said, err := o.level(ctx, level)
		if one != nil {
			r.Levels, warnings, r.Agents = append(r.Levels, *one), append(warnings, notices), said
		}
		if err != nil {
			failed = err
			break
		}
	}
	if len(r.Levels) == 0 {
		return nil, failed
	}
	if failed != nil {
		r.Partial = failed.Error()
	}
	r.Scaling = scaling(*r)
	choose(r, warnings)
	return r, failed
}

// search looks for the highest rate at which the promise holds: each probe is a plan that is split as every other, and what
// its agents recorded together decides.
func (o manyLoad) search(ctx context.Context, options search.Options) (*report.LoadRun, error) {
	var said [][]unpark.Agent // of each probe
	r, best, err := o.highest(ctx, options, func(ctx context.Context, plan unpark.Plan) (*report.LoadLevel, []unpark.Notice, error) {
		one, notices, of, err := o.level(ctx, plan)
		if one != nil {
			said = append(said, of)
		}
		if errors.Is(err, errUntrusted) {
			err = fmt.Errorf("%w: %w", search.ErrVoid, err) // all began late, say: the next time they may not
		}
		return one, notices, err
	})
	if r != nil {
		r.Agents = said[best]
	}
	return r, err
}

// level measures one level, and says what each agent had of it.
func (o manyLoad) level(ctx context.Context, plan unpark.Plan) (*report.LoadLevel, []unpark.Notice, []unpark.Agent, error) {
	open := plan.P99Within > 0
	length := duration(plan.Duration)
	if open {
		length = 0 // is chosen
	}
	session, err := o.fleet.Begin(ctx, fleet.Order{
		Agents: o.agents, Plan: plan, Hosts: hostsOf(plan.Requests), Open: open,
		Phases: fleet.Phases(duration(plan.Warmup), length, 0, 0, false),
	})
	if err != nil {
		return nil, nil, nil, err
	}
	defer session.End()
	stop := o.showAgents(session)
	settled, err := o.settle(ctx, session, plan)
	var result fleet.Result
	if err == nil {
		result, err = session.Wait(ctx)
	}
	stop()
	if ctx.Err() != nil {
		return nil, nil, nil, errors.New("interrupted while agents drove the load: they were told to end it, and nothing of it is kept")
	}
	if err != nil {
		return nil, nil, nil, err
	}
	i := result.Measured()
	if i < 0 {
		if len(result.Void) > 0 {
			return nil, nil, nil, fmt.Errorf("load from agents: %w: %s", errUntrusted, result.Void[0].Message)
		}
		return nil, nil, nil, errors.New("load from agents: it ended before it was measured")
	}
	l := result.Record.Load(i)
	_, warnings := load.Judge(l, load.Conditions{})
	if open {
		var notices []unpark.Notice
		l.Precision, notices = settled.Judge(l, result.Record.Ticks())
		warnings = append(warnings, notices...)
	}
	return &report.LoadLevel{Level: plan.Level(), Void: result.Void, Load: l}, append(result.Warnings, warnings...), result.Agents, nil
}

// settle lets the load of all become steady where the plan asks how well its p99 is to be known, and makes the measurement as long
// as that takes; what all recorded of each block together decides.
func (o manyLoad) settle(ctx context.Context, session *fleet.Session, plan unpark.Plan) (steady.Settled, error) {
	if plan.P99Within == 0 {
		return steady.Settled{}, nil
	}
	s, err := steady.Settle(ctx, plan.P99Within, plan.Duration, session.Course.Block)
	if err != nil {
		return s, fmt.Errorf("load from agents: wait until it is steady: %w", err)
	}
	o.mu.Lock()
	o.progress.show(investigate.Event{Phase: "steady", Detail: s.String()})
	o.mu.Unlock()
	return s, session.Course.Last(ctx, fleet.Phases(0, duration(s.Window), 0, 0, false))
}

// showAgents tells how the load of all agents goes, until its result is called.
func (d *driver) showAgents(s *fleet.Session) (stop func()) {
	done, over := make(chan struct{}), make(chan struct{})
	d.phase("agents", time.Until(s.Start()), "start together")
	go func() {
		defer close(over)
		t := time.NewTicker(showEvery)
		defer t.Stop()
		told := false // by an agent, how it goes: the first figures are those of its first whole second
		for {
			select {
			case <-done:
				return
			case <-t.C:
			}
			phase, left := s.Course.Phase()
			name := map[string]string{"window": "measure", "collect": "collect"}[phase]
			if name == "" {
				name = "warm-up"
			}
			now := load.Live{Phase: name}
			now.RPS, now.P99, now.Errors, now.InFlight = s.Live()
			e := investigate.Event{Phase: name, Left: left, Detail: d.detail}
			if told = told || now.RPS > 0 || now.Errors > 0; told {
				e.Live = &now
			}
			d.mu.Lock()
			d.progress.show(e)
			d.mu.Unlock()
		}
	}()
	return func() {
		close(done)
		<-over
	}
}
