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
	"github.com/unpark-go/unpark/internal/report"
)

// fromAgents drives the load from other machines.
func (l *loadFlags) fromAgents(ctx context.Context, s streams, quiet bool, plan unpark.Plan, f *fleetFlags) (*report.LoadRun, error) {
	if l.slo != "" || plan.P99Within > 0 {
		return nil, usage("--agents: neither a promise is searched nor a precision waited for from several machines: name a rate")
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
	plan.Hosts = nil // each agent looks names up for itself
	r := &report.LoadRun{Plan: plan.Redacted()}
	var warnings [][]unpark.Notice
	var failed error
	for i, level := range plan.Plans() {
		if levels := len(plan.Plans()); levels > 1 {
			d.detail = fmt.Sprintf("level %d of %d: %s", i+1, levels, levelName(level))
		}
		one, notices, err := d.acrossAgents(ctx, opened, chosen, level, r)
		if one != nil {
			r.Levels, warnings = append(r.Levels, *one), append(warnings, notices)
		}
		if err != nil {
			failed = err
			break
		}
	}
	d.progress.done()
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

// acrossAgents measures one level.
func (d *driver) acrossAgents(ctx context.Context, f *fleet.Fleet, agents []fleet.Agent, plan unpark.Plan, r *report.LoadRun) (*report.LoadLevel, []unpark.Notice, error) {
	session, err := f.Begin(ctx, fleet.Order{
		Agents: agents, Plan: plan, Hosts: hostsOf(plan.Requests),
		Phases: fleet.Phases(duration(plan.Warmup), duration(plan.Duration), 0, 0, false),
	})
	if err != nil {
		return nil, nil, err
	}
	stop := d.showAgents(session, plan)
	result, err := session.Wait(ctx)
	stop()
	if err != nil {
		return nil, nil, err
	}
	r.Agents = result.Agents
	i := result.Measured()
	if i < 0 {
		why := "the load ended before it was measured"
		if len(result.Void) > 0 {
			why = result.Void[0].Message
		}
		return nil, nil, errors.New("load from agents: " + why)
	}
	l := result.Record.Load(i)
	_, warnings := load.Judge(l, load.Conditions{})
	return &report.LoadLevel{Level: plan.Level(), Void: result.Void, Load: l}, append(result.Warnings, warnings...), nil
}

// showAgents tells how the load of all agents goes, until its result is called.
func (d *driver) showAgents(s *fleet.Session, plan unpark.Plan) (stop func()) {
	done, over := make(chan struct{}), make(chan struct{})
	d.phase("agents", time.Until(s.Start()), "start together")
	go func() {
		defer close(over)
		t := time.NewTicker(showEvery)
		defer t.Stop()
		end := s.Start().Add(duration(plan.Warmup))
		for {
			select {
			case <-done:
				return
			case <-t.C:
			}
			name, until := "warm-up", end
			if time.Now().After(end) {
				name, until = "measure", end.Add(duration(plan.Duration))
			}
			if time.Now().After(until) {
				name = "collect"
			}
			rps, p99, failed, inFlight := s.Live()
			d.mu.Lock()
			d.progress.show(investigate.Event{
				Phase: name, Left: max(0, time.Until(until)), Detail: d.detail,
				Live: &load.Live{Phase: name, RPS: rps, P99: p99, Errors: failed, InFlight: inFlight},
			})
			d.mu.Unlock()
		}
	}()
	return func() {
		close(done)
		<-over
	}
}
