package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/search"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/units"
)

// What one probe of a search takes, where the flags do not say.
const (
	probeSeconds = 5
	probeWarmup  = 1
)

// promise reads --slo; nil when it was not given.
func (l *loadFlags) promise() (*search.SLO, error) {
	if !l.given("slo") {
		return nil, nil
	}
	slo, err := search.ParseSLO(l.slo)
	if err != nil {
		return nil, usage("--slo: %w", err)
	}
	return &slo, nil
}

// leveller measures one level, as [driver.level] does.
type leveller func(ctx context.Context, plan unpark.Plan) (*report.LoadLevel, []unpark.Notice, error)

// search looks for the highest rate at which the promise holds, with the load of this machine.
func (d *driver) search(ctx context.Context, o search.Options) (*report.LoadRun, error) {
	if err := load.Check(ctx, d.plan); err != nil {
		return nil, err
	}
	r, _, err := d.highest(ctx, o, d.level)
	return r, err
}

// highest looks for the highest rate at which the promise holds, and says which of the levels has the figures.
func (d *driver) highest(ctx context.Context, o search.Options, level leveller) (_ *report.LoadRun, best int, _ error) {
	r := report.LoadRun{Plan: d.plan.Redacted()}
	var levels []report.LoadLevel
	var warnings [][]unpark.Notice
	measure := func(ctx context.Context, rate float64) (unpark.Load, error) {
		plan := d.plan
		plan.Mode, plan.RateRPS = unpark.Constant, rate
		d.detail = fmt.Sprintf("probe %d: %s", len(levels)+1, units.Figure(rate, "req/s"))
		l, notices, err := level(ctx, plan)
		if l == nil || err != nil {
			return unpark.Load{}, err
		}
		levels, warnings = append(levels, *l), append(warnings, notices)
		if len(l.Void) > 0 {
			return l.Load, search.ErrVoid
		}
		return l.Load, nil
	}
	found, err := search.Highest(ctx, o, measure)
	if len(levels) == 0 {
		if err == nil {
			err = fmt.Errorf("search the highest rate: no probe can be trusted: %s", found.Why)
		}
		return nil, 0, err
	}
	if err != nil {
		r.Partial = err.Error()
	}
	document := found.Document(o.SLO)
	r.Search = &document
	// The figures below the answer are those of the highest rate that held.
	best = slices.IndexFunc(levels, func(l report.LoadLevel) bool { return l.Level.RateRPS == found.Held.Or(0) })
	if best < 0 {
		best = len(levels) - 1
	}
	r.Load, r.Void, r.Warnings = levels[best].Load, levels[best].Void, warnings[best]
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted during the search")
	}
	return &r, best, err
}
