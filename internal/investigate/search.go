package investigate

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/search"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
	"github.com/unpark-go/unpark/internal/units"
)

// What one probe of a search takes.
const (
	probeLength = 5 * time.Second
	probeWarmup = time.Second
	mostProbes  = 40 // the default of package search
)

// search finds the highest rate at which the promise holds, before anything is
// profiled, and makes it the rate of the window: what limits the service there is
// what keeps it from going further.
func (d *driver) search(ctx context.Context) error {
	if d.c.SLO == nil {
		return nil
	}
	probes := 0
	found, err := search.Highest(ctx, search.Options{SLO: *d.c.SLO, Seed: d.rec.run.Plan.Seed, Probes: mostProbes}, func(ctx context.Context, rate float64) (unpark.Load, error) {
		probes++
		return d.probe(ctx, probes, rate)
	})
	document := found.Document(*d.c.SLO)
	d.rec.run.Search = &document
	if err != nil {
		return fmt.Errorf("search the highest rate with %s: %w", d.c.SLO, err)
	}
	plan := d.plan
	plan.Mode = unpark.Constant
	// With no answer, the lowest rate that was tried shows why it does not hold.
	plan.RateRPS = found.Rate.Value.Or(lowest(found.Probes))
	d.note(plan)
	return nil
}

func lowest(probes []search.Probe) float64 {
	rates := []float64{1}
	for i, p := range probes {
		if i == 0 {
			rates = rates[:0]
		}
		rates = append(rates, p.Rate)
	}
	return slices.Min(rates)
}

// probe drives one rate and judges it.
func (d *driver) probe(ctx context.Context, n int, rate float64) (unpark.Load, error) {
	plan := d.plan
	plan.Mode, plan.RateRPS = unpark.Constant, rate
	if d.c.Agents != nil {
		return d.probeByAgents(ctx, n, plan)
	}
	g, err := load.Start(ctx, plan)
	if err != nil {
		return unpark.Load{}, err
	}
	defer g.Stop()
	d.rec.tell(Event{Phase: "search", Detail: fmt.Sprintf("probe %d: %s", n, units.Figure(rate, "req/s")), Left: probeWarmup + probeLength})
	if err := pause(ctx, probeWarmup); err != nil {
		return unpark.Load{}, err
	}
	before, _ := rusage.ReadMachine()
	s := g.Begin("search")
	if err := pause(ctx, probeLength); err != nil {
		return unpark.Load{}, err
	}
	after, _ := rusage.ReadMachine()
	g.Begin("drain")
	// Stragglers of one rate would slow down the next.
	settled, cancel := context.WithTimeout(ctx, probeLength)
	defer cancel()
	l := s.Load(settled)
	quota := confine.BoundsOf([]int{os.Getpid()}).Quota
	void, _ := load.Judge(l, load.Conditions{
		CPUs: len(confine.Allowed()), Quota: quota, Shared: d.service.shared(),
		Machine: unpark.Ratio(after.Busy-before.Busy, probeLength.Seconds()),
	})
	if err := d.service.alive(); err != nil {
		return l, err
	}
	if len(void) > 0 {
		return l, search.ErrVoid
	}
	return l, nil
}

// probeByAgents has agents drive one rate: a plan that is split as every other. What they recorded together decides; it is void
// where a part of it is.
func (d *driver) probeByAgents(ctx context.Context, n int, plan unpark.Plan) (unpark.Load, error) {
	team := d.c.Agents
	agents := team.Agents
	if loading := team.Loading(); len(loading) > 0 {
		agents = slices.DeleteFunc(slices.Clone(agents), func(a fleet.Agent) bool { return !slices.Contains(loading, a.Name) })
	}
	plan.Hosts = nil // each agent looks names up for itself
	session, err := team.Fleet.Begin(ctx, fleet.Order{
		Agents: agents, Plan: plan, Hosts: team.Hosts, Phases: fleet.Phases(probeWarmup, probeLength, 0, 0, false),
	})
	if err != nil {
		return unpark.Load{}, err
	}
	d.service.loaded = true
	d.rec.tell(Event{Phase: "search", Detail: fmt.Sprintf("probe %d: %s", n, units.Figure(plan.RateRPS, "req/s")), Left: probeWarmup + probeLength})
	result, err := session.Wait(ctx)
	if err != nil {
		return unpark.Load{}, err
	}
	if err := d.service.alive(); err != nil {
		return unpark.Load{}, err
	}
	i := result.Measured()
	if i < 0 { // all began late, say: the next time they may not
		return unpark.Load{}, fmt.Errorf("%w: no agent's part of the load can be trusted%s", search.ErrVoid, first(result.Void))
	}
	l := result.Record.Load(i)
	if len(result.Void) > 0 {
		return l, search.ErrVoid
	}
	return l, nil
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
