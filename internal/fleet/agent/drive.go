package agent

import (
	"context"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// drive holds the load through the phases of the task.
func (j *job) drive(ctx context.Context, start time.Time, out *outcome) error {
	if !sleepUntil(ctx, start.Add(-readyBefore)) {
		return errStopped
	}
	g := j.load
	g.StartAt(start)
	defer context.AfterFunc(ctx, g.Stop)()
	defer g.Stop()
	j.generator.Store(g)
	began, waited := g.Began()
	out.Began, out.Waited = j.a.clock.At(began), int64(waited)
	var measured []*load.Stretch
	window := -1 // of those
	var conditions load.Conditions
	for i := 0; ; i++ {
		p, more, err := j.phases.next(ctx, i)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if !sleepUntil(ctx, start.Add(p.At)) {
			return errStopped
		}
		s := j.stretch(g, p)
		before, from := machine(), time.Now()
		if !sleepUntil(ctx, start.Add(p.At+p.Length)) {
			return errStopped
		}
		if next, known := j.phases.known(i + 1); !known || next.At > p.At+p.Length {
			g.Begin("between")
		}
		j.phases.over(i, s)
		if p.Name == "window" {
			conditions, window = j.conditions(before, machine(), time.Since(from)), len(measured)
		}
		if p.Name != "warmup" && p.Name != wire.Block {
			measured = append(measured, s)
		}
	}
	g.Begin("drain")
	timed, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	for i, s := range measured {
		l := s.Load(timed)
		if i == 0 || i == window {
			out.Void, out.Warnings = load.Judge(l, conditions)
			out.Warnings = slices.DeleteFunc(out.Warnings, ofAll)
		}
	}
	g.Stop()
	var err error
	out.record, err = g.Record(measured...)
	return err
}

// stretch records a phase that begins.
func (j *job) stretch(g *load.Generator, p wire.Phase) *load.Stretch {
	s := g.First()
	if p.At > 0 {
		s = g.Begin(p.Name)
	}
	if p.Name == "window" {
		j.window.Store(s)
	}
	return s
}

// ofAll reports whether a warning is one that the load of all agents together has to give.
func ofAll(n unpark.Notice) bool {
	return n.Code != "generator-cpu" && n.Code != "shared-cores" && n.Code != "steal"
}

// sleepUntil reports whether ctx lasted until then.
func sleepUntil(ctx context.Context, at time.Time) bool {
	t := time.NewTimer(time.Until(at))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
