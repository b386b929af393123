package evidence

import (
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// cover says of every kind whether it can be used, from the window's files and
// from the profiles that were given.
func (r *reducer) cover() map[unpark.Kind]facts.KindCoverage {
	out := make(map[unpark.Kind]facts.KindCoverage)
	for _, kind := range unpark.Kinds() {
		out[kind] = r.coverKind(kind)
	}
	return out
}

// coverKind prefers the best state that any process had: one process with a
// profile makes the kind usable, and Lost says that the others are missing.
func (r *reducer) coverKind(kind unpark.Kind) facts.KindCoverage {
	c := facts.KindCoverage{State: unpark.Absent, Files: used(r.in.Profiles[kind]), Lost: r.in.Lost[kind]}
	listed, present := 0, 0
	rank := map[unpark.Coverage]int{unpark.Absent: 0, unpark.Bad: 1, unpark.Off: 2, unpark.Present: 3}
	for _, f := range r.in.Window.Profiles {
		if f.Kind != kind {
			continue
		}
		listed++
		if f.State == unpark.Present {
			present++
		}
		if listed == 1 || rank[f.State] > rank[c.State] {
			c.State = f.State
		}
		if c.Why == "" && f.State != unpark.Present {
			c.Why = f.Note
		}
	}
	if kind == unpark.KindGoroutine && c.Files == 0 {
		for _, instant := range r.in.Snapshots {
			c.Files = max(c.Files, used(instant))
		}
	}
	if kind == unpark.KindTrace {
		c.Files = present // read by another stage
	}
	c.Offered = listed > 0 || c.Files > 0 || c.Lost > 0
	c.Seconds, c.Events = r.spans(kind), r.events(kind)
	switch {
	case c.Files > 0 && listed == 0:
		c.State = unpark.Present
	case c.Files == 0 && c.State == unpark.Present:
		c.State = unpark.Bad
		if c.Why == "" {
			c.Why = "no process's profile could be read"
		}
	case listed == 0 && c.Why == "":
		c.Why = "was not captured"
	}
	if c.State == unpark.Off && c.Why == "" {
		c.Why = "its sampling rate is 0"
	}
	return c
}

// spans returns the interval that a kind's profiles cover: what they say, or the
// window's where they are of one.
func (r *reducer) spans(kind unpark.Kind) unpark.Number {
	p := r.merged[kind]
	if p == nil || kind.Reading() == unpark.Snapshot {
		return unpark.Number{}
	}
	if d := p.Duration(); d > 0 {
		return unpark.Num(d.Seconds())
	}
	if w := r.in.Window; r.seconds > 0 && (len(w.Processes) > 0 || w.Load != nil) {
		return unpark.Num(r.seconds)
	}
	return unpark.Number{}
}

// events counts what stands behind a kind's figures.
func (r *reducer) events(kind unpark.Kind) int64 {
	var n float64
	for _, s := range r.stacks[kind] {
		switch {
		case s.label.Side == unpark.ObserverSide:
		case s.count > 0:
			n += s.count
		default:
			n += s.value
		}
	}
	return int64(n + 0.5)
}

// longest returns the longest interval that a profile says it covers, for windows
// that do not say when they began.
func (r *reducer) longest() time.Duration {
	var d time.Duration
	for _, kind := range []unpark.Kind{unpark.KindCPU, unpark.KindBlock, unpark.KindMutex, unpark.KindAllocs} {
		if p := r.merged[kind]; p != nil {
			d = max(d, p.Duration())
		}
	}
	return d
}
