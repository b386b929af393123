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
	ends                       []unpark.Forecast // of which one end is said
	none                       int               // repeats of which nothing was forecast
	disturbed                  int               // repeats whose outcome is that of something else's load
}

func (s step) inside() count { return cameTrue(s.forecasts) }

// cameTrue counts the forecasts that came true.
func cameTrue(forecasts []unpark.Forecast) count {
	var c count
	for _, f := range forecasts {
		c.add(f.Inside)
	}
	return c
}

// board is the whole table.
type board struct {
	Commit   string
	Settings arms.Settings
	repeats  int
	runs     int           // with a verdict
	spent    time.Duration // by unpark, in all of them
	host     unpark.Host
	version  unpark.Version
	// lenient boards are right whatever becomes of forecasts: an interval that is to
	// hold nine times in ten says nothing of a few.
	lenient bool
	rows    []row
	steps   []step
}

// where is one repeat of an arm.
type where struct {
	lab, arm string
	repeat   int
}

// tally sums up outcomes, in the order of the plan whatever theirs is.
func tally(labs []expect.Lab, p plan, outcomes []outcome) board {
	var b board
	at := map[where]outcome{}
	for _, o := range outcomes {
		at[where{o.Lab, o.Arm, o.Repeat}] = o
		if o.run != nil {
			b.host, b.version = o.run.Host, o.run.Unpark
			b.runs++
			b.spent += time.Duration(o.Seconds * float64(time.Second))
		}
	}
	for _, a := range p {
		if a.repeat == 1 { // every arm has a first one
			b.rows = append(b.rows, rowOf(a, p.repeats(a.lab.Name, a.name), at))
		}
		b.repeats = max(b.repeats, a.repeat)
	}
	for _, lab := range labs {
		for _, s := range lab.Steps {
			b.steps = append(b.steps, held(lab.Name, lab.Arms, s, pairs(lab.Name, s, b.repeats, at))...)
		}
	}
	return b
}

func rowOf(a attempt, planned int, at map[where]outcome) row {
	r := row{lab: a.lab.Name, arm: a.name, planned: planned}
	_, asked := a.arm.Culprit()
	r.healthy, r.known = !asked, a.arm.Known
	var seconds []float64
	for i := range planned {
		o, ok := at[where{a.lab.Name, a.name, i + 1}]
		if !ok {
			continue
		}
		r.add(a.arm, o)
		if o.run != nil {
			seconds = append(seconds, o.Seconds)
		}
	}
	slices.Sort(r.said)
	r.seconds = median(seconds)
	return r
}

// pairs are the repeats in which both ends of a step were run.
func pairs(lab string, s expect.Step, repeats int, at map[where]outcome) (out [][2]outcome) {
	for i := range repeats {
		before, after := at[where{lab, s.Before, i + 1}], at[where{lab, s.After, i + 1}]
		if before.run != nil && after.run != nil && !before.run.IsVoid() && !after.run.IsVoid() {
			out = append(out, [2]outcome{before, after})
		}
	}
	return out
}

// add counts one repeat.
func (r *row) add(arm expect.Arm, o outcome) {
	if o.Skipped != "" {
		r.skipped = o.Skipped
		return
	}
	if o.run == nil {
		r.failed++
		r.right.add(false)
		r.problems = append(r.problems, problem{o.Repeat, "no verdict: " + o.Failed, o.Dir})
		return
	}
	j := arm.Judge(*o.run)
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
}

// held is a step's forecasts against their outcomes, one entry for each metric.
func held(lab string, arms map[string]expect.Arm, s expect.Step, pairs [][2]outcome) []step {
	by := map[string]*step{}
	for _, p := range pairs {
		for _, f := range s.Forecasts(*p[0].run, *p[1].run) {
			if by[f.Metric] == nil {
				by[f.Metric] = &step{lab: lab, before: s.Before, after: s.After, metric: f.Metric}
			}
			if disturbed(arms[s.Before], *p[0].run) || disturbed(arms[s.After], *p[1].run) {
				by[f.Metric].disturbed++
				continue
			}
			switch {
			case f.Predicted.OneEnded():
				by[f.Metric].ends = append(by[f.Metric].ends, f)
			case !f.Predicted.Known():
				by[f.Metric].none++
			default:
				by[f.Metric].forecasts = append(by[f.Metric].forecasts, f)
			}
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

// median of nothing is NaN.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.SortedFunc(slices.Values(v), cmp.Compare[float64])
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
