package main

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/labs/expect"
	"github.com/unpark-go/unpark/labs/score/arms"
)

// count is how often of how often; nothing was asked when of is 0.
type count struct{ n, of int }

func (c *count) add(right bool) {
	c.of++
	if right {
		c.n++
	}
}

func (c *count) answer(a expect.Answer) {
	if a != expect.NotAsked {
		c.add(a == expect.Right)
	}
}

// all reports that something was asked, and never missed.
func (c count) all() bool { return c.of > 0 && c.n == c.of }

// row is one arm over its repeats.
type row struct {
	lab, arm string
	planned  int // repeats
	right    count
	limit    count
	top1     count
	top3     count
	waiter   count
	holder   count
	alarms   int
	healthy  bool // no cause is to be named: fixed, or a control
	void     int  // repeats that ended void and should not have
	again    int  // repeats that were no answer at first
	busy     int  // repeats during which others had the processors, also the second time
	failed   int
	skipped  string
	known    string             // what is wrong of it
	said     []unpark.LimitKind // what the limit was called, each once
	seconds  float64            // median
	problems []problem
}

// problem is one thing that a repeat had wrong.
type problem struct {
	repeat int
	text   string
	dir    string
}

// miss reports that the arm was wrong at least once: right twice of three is not
// right.
func (r row) miss() bool { return r.right.n < r.right.of }

// complete reports that there is nothing left to run.
func (r row) complete() bool { return r.skipped != "" || r.right.of == r.planned }

// step is one forecast with what came of it, over the repeats.
type step struct {
	lab, before, after, metric string
	forecasts                  []unpark.Forecast
	none                       int // repeats of which nothing was forecast
}

func (s step) inside() count {
	var c count
	for _, f := range s.forecasts {
		c.add(f.Inside)
	}
	return c
}

// board is the whole table.
type board struct {
	Commit   string
	Settings arms.Settings
	Took     time.Duration
	host     unpark.Host
	version  unpark.Version
	// lenient boards are right whatever becomes of forecasts: an interval that is to
	// hold nine times in ten says nothing of a few.
	lenient bool
	rows    []row
	steps   []step
}

// tally sums up outcomes, in the order of the plan whatever theirs is.
func tally(labs []expect.Lab, p plan, outcomes []outcome) board {
	var b board
	type where struct {
		lab, arm string
		repeat   int
	}
	at := map[where]outcome{}
	for _, o := range outcomes {
		at[where{o.Lab, o.Arm, o.Repeat}] = o
		if o.run != nil {
			b.host, b.version = o.run.Host, o.run.Unpark
		}
	}
	seen := map[where]bool{}
	repeats := 0
	for _, a := range p {
		repeats = max(repeats, a.repeat)
		if k := (where{a.lab.Name, a.name, 0}); !seen[k] {
			seen[k] = true
			r := row{lab: a.lab.Name, arm: a.name, planned: p.repeats(a.lab.Name, a.name)}
			var mine []outcome
			for i := range r.planned {
				if o, ok := at[where{a.lab.Name, a.name, i + 1}]; ok {
					mine = append(mine, o)
				}
			}
			r.sum(a.arm, mine)
			b.rows = append(b.rows, r)
		}
	}
	for _, lab := range labs {
		for _, s := range lab.Steps {
			var pairs [][2]outcome
			for i := range repeats {
				before, ok1 := at[where{lab.Name, s.Before, i + 1}]
				after, ok2 := at[where{lab.Name, s.After, i + 1}]
				if ok1 && ok2 && before.run != nil && after.run != nil && !before.run.IsVoid() && !after.run.IsVoid() {
					pairs = append(pairs, [2]outcome{before, after})
				}
			}
			b.steps = append(b.steps, held(lab.Name, s, pairs)...)
		}
	}
	return b
}

// sum fills the row from the outcomes of its repeats.
func (r *row) sum(arm expect.Arm, outcomes []outcome) {
	_, asked := arm.Culprit()
	r.healthy, r.known = !asked, arm.Known
	var seconds []float64
	for _, o := range outcomes {
		switch {
		case o.Skipped != "":
			r.skipped = o.Skipped
			continue
		case o.run == nil:
			r.failed++
			r.right.add(false)
			r.problems = append(r.problems, problem{o.Repeat, "no verdict: " + o.Failed, o.Dir})
			continue
		}
		j := judge(arm, *o.run)
		r.right.add(j.Right())
		r.limit.answer(j.Limit)
		if j.Asked {
			r.top1.add(j.Culprit == 1)
			r.top3.add(j.Culprit >= 1 && j.Culprit <= 3)
		}
		r.waiter.answer(j.Waiter)
		r.holder.answer(j.Holder)
		r.alarms += len(j.Alarms)
		if o.Tries > 1 {
			r.again++
		}
		if o.run.IsVoid() && !arm.MayBeVoid() {
			r.void++
		}
		if disturbed(arm, *o.run) {
			r.busy++
		}
		if !slices.Contains(r.said, o.run.Limit.Kind) {
			r.said = append(r.said, o.run.Limit.Kind)
		}
		for _, p := range j.Problems {
			r.problems = append(r.problems, problem{o.Repeat, p, o.Dir})
		}
		seconds = append(seconds, o.Seconds)
	}
	slices.Sort(r.said)
	r.seconds = median(seconds)
}

// held is a step's forecasts against their outcomes, one entry for each metric.
func held(lab string, s expect.Step, pairs [][2]outcome) []step {
	by := map[string]*step{}
	for _, p := range pairs {
		for _, f := range s.Forecasts(*p[0].run, *p[1].run) {
			if by[f.Metric] == nil {
				by[f.Metric] = &step{lab: lab, before: s.Before, after: s.After, metric: f.Metric}
			}
			if !f.Predicted.Known() {
				by[f.Metric].none++
				continue
			}
			by[f.Metric].forecasts = append(by[f.Metric].forecasts, f)
		}
	}
	var out []step
	for _, metric := range []string{expect.Throughput, expect.P99} {
		if by[metric] != nil {
			out = append(out, *by[metric])
		}
	}
	return out
}

// totals are the figures above the table.
type totals struct {
	arms, limit, top1, top3, waiter, holder count // of arms: right in every repeat
	alarms                                  int   // on healthy arms
	healthy                                 int
	inside                                  count // of forecasts
	none                                    int
	width                                   float64 // geometric mean of high ÷ low, NaN without any
	unfinished, skipped                     int
	busy                                    int // runs
}

func (b board) totals() totals {
	var t totals
	for _, r := range b.rows {
		switch {
		case r.skipped != "":
			t.skipped++
			continue
		case !r.complete():
			t.unfinished++
		}
		if r.right.of == 0 {
			continue
		}
		t.arms.add(!r.miss())
		t.busy += r.busy
		for _, c := range []struct{ sum, row *count }{
			{&t.limit, &r.limit}, {&t.top1, &r.top1}, {&t.top3, &r.top3}, {&t.waiter, &r.waiter}, {&t.holder, &r.holder},
		} {
			if c.row.of > 0 {
				c.sum.add(c.row.all())
			}
		}
		if r.healthy {
			t.healthy++
			t.alarms += r.alarms
		}
	}
	var logs []float64
	for _, s := range b.steps {
		c := s.inside()
		t.inside.n, t.inside.of = t.inside.n+c.n, t.inside.of+c.of
		t.none += s.none
		for _, f := range s.forecasts {
			logs = append(logs, math.Log(width(f.Predicted)))
		}
	}
	t.width = math.Exp(mean(logs))
	return t
}

// promised is the share of outcomes that must be inside of 90 % intervals.
const promised = 0.9

// right reports that every arm was right in every repeat, and that forecasts keep
// what their intervals promise.
func (b board) right() bool {
	t := b.totals()
	kept := b.lenient || float64(t.inside.n) >= promised*float64(t.inside.of)
	return t.arms.all() && t.unfinished == 0 && kept
}

// width is high ÷ low of an interval; NaN without one.
func width(q unpark.Quantity) float64 {
	low, high := q.Low.Or(math.NaN()), q.High.Or(math.NaN())
	return high / low
}

// median of nothing is NaN.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.SortedFunc(slices.Values(v), cmp.Compare[float64])
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}
