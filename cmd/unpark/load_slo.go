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

// search looks for the highest rate at which the promise holds.
func (d *driver) search(ctx context.Context, slo search.SLO) (*report.LoadRun, error) {
	if err := load.Check(ctx, d.plan); err != nil {
		return nil, err
	}
	r := report.LoadRun{Plan: d.plan.Redacted()}
	var levels []report.LoadLevel
	var warnings [][]unpark.Notice
	measure := func(ctx context.Context, rate float64) (unpark.Load, error) {
		plan := d.plan
		plan.Mode, plan.RateRPS = unpark.Constant, rate
		d.detail = fmt.Sprintf("probe %d: %s", len(levels)+1, units.Figure(rate, "req/s"))
		l, notices, err := d.level(ctx, plan)
		if l == nil || err != nil {
			return unpark.Load{}, err
		}
		levels, warnings = append(levels, *l), append(warnings, notices)
		if len(l.Void) > 0 {
			return l.Load, search.ErrVoid
		}
		return l.Load, nil
	}
	found, err := search.Highest(ctx, search.Options{SLO: slo, Seed: d.plan.Seed}, measure)
	if len(levels) == 0 {
		return nil, err
	}
	if err != nil {
		r.Partial = err.Error()
	}
	document := found.Document(slo)
	r.Search = &document
	// The figures below the answer are those of the highest rate that held.
	best := slices.IndexFunc(levels, func(l report.LoadLevel) bool { return l.Level.RateRPS == found.Held.Or(0) })
	if best < 0 {
		best = len(levels) - 1
	}
	r.Load, r.Void, r.Warnings = levels[best].Load, levels[best].Void, warnings[best]
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted during the search")
	}
	return &r, err
}
