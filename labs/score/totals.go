package main

import (
	"math"

	"github.com/unpark-go/unpark"
)

// totals are the figures above the table.
type totals struct {
	arms, limit, top1, top3, waiter, holder count // of arms: right in every repeat
	alarms                                  int   // on healthy arms
	healthy                                 int
	inside                                  count // of forecasts
	ends                                    count // of those of which one end is said
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
		e := cameTrue(s.ends)
		t.ends.n, t.ends.of = t.ends.n+e.n, t.ends.of+e.of
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
	kept := b.lenient || float64(t.inside.n) >= promised*float64(t.inside.of) && float64(t.ends.n) >= promised*float64(t.ends.of)
	return t.arms.all() && t.unfinished == 0 && kept
}

// width is high ÷ low of an interval; NaN without one.
func width(q unpark.Quantity) float64 {
	low, high := q.Low.Or(math.NaN()), q.High.Or(math.NaN())
	return high / low
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}
