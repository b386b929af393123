package evidence

import (
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// cover says of every kind whether it can be used, from the window's files and
// from the profiles that were given.
func (p *profiles) cover() map[unpark.Kind]facts.KindCoverage {
	out := make(map[unpark.Kind]facts.KindCoverage)
	for _, kind := range unpark.Kinds() {
		out[kind] = p.coverKind(kind)
	}
	return out
}

// coverKind prefers the best state that any process had: one process with a
// profile makes the kind usable, and Lost says that the others are missing.
func (p *profiles) coverKind(kind unpark.Kind) facts.KindCoverage {
	c := facts.KindCoverage{State: unpark.Absent, Files: used(p.in.Profiles[kind]), Lost: p.in.Lost[kind]}
	listed, present := 0, 0
	rank := map[unpark.Coverage]int{unpark.Absent: 0, unpark.Bad: 1, unpark.Off: 2, unpark.Present: 3}
	for _, f := range p.in.Window.Profiles {
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
		for _, instant := range p.in.Snapshots {
			c.Files = max(c.Files, used(instant))
		}
	}
	if kind == unpark.KindTrace {
		c.Files = present // read by another stage
	}
	c.Offered = listed > 0 || c.Files > 0 || c.Lost > 0
	c.Seconds, c.Events = p.spans(kind), p.events(kind)
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
func (p *profiles) spans(kind unpark.Kind) unpark.Number {
	merged := p.merged[kind]
	if merged == nil || kind.Reading() == unpark.Snapshot {
		return unpark.Number{}
	}
	if d := merged.Duration(); d > 0 && p.stretched(kind) == 1 {
		return unpark.Num(d.Seconds())
	}
	if w := p.in.Window; p.seconds > 0 && (len(w.Processes) > 0 || w.Load != nil) {
		return unpark.Num(p.seconds)
	}
	return unpark.Number{}
}

// events counts what stands behind a kind's figures.
func (p *profiles) events(kind unpark.Kind) int64 {
	var n float64
	for s := range p.of(kind) {
		if s.count > 0 {
			n += s.count
		} else {
			n += s.value
		}
	}
	return int64(n*p.part(kind) + 0.5)
}

// part is the least part of the window for which the kind was recorded in any process; the rest is taken to be like it.
func (p *profiles) part(kind unpark.Kind) float64 { return p.in.Window.Part(kind) }

// longest returns the longest interval that a profile says it covers, for windows
// that do not say when they began.
func (p *profiles) longest() time.Duration {
	var d time.Duration
	for _, kind := range []unpark.Kind{unpark.KindCPU, unpark.KindBlock, unpark.KindMutex, unpark.KindAllocs} {
		if merged := p.merged[kind]; merged != nil {
			d = max(d, merged.Duration())
		}
	}
	return d
}
