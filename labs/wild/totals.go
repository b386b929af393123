package main

import (
	"errors"
	"fmt"
	"math"
)

// count is so many of so many.
type count struct{ n, of int }

func (c count) String() string { return fmt.Sprintf("%d/%d", c.n, c.of) }

func (c *count) add(m mark) {
	if m != notAsked {
		c.of++
	}
	if m == right {
		c.n++
	}
}

// totals prints the forecasts and the sums; the error says which cases could not be run.
func (t *table) totals() error {
	var top1, top3, limit, advice, alarms, inside, oneEnd count
	disturbed, contradictions, width := 0, 0, map[string][]float64{}
	var errs error
	for i, r := range t.rows {
		top1.add(r.top1)
		top3.add(r.top3)
		limit.add(r.limit)
		advice.add(r.advice)
		alarms.add(is(r.alarms > 0))
		contradictions += len(r.contradict)
		errs = errors.Join(errs, r.err)
		if r.variant != "after" || i == 0 || t.rows[i-1].Name != r.Name {
			continue
		}
		if t.ledger != nil {
			errs = errors.Join(errs, ledger(t.ledger, t.rows[i-1], r))
		}
		for _, f := range forecasts(t.rows[i-1], r) {
			fmt.Fprintln(t.out, f)
			if f.disturbed {
				disturbed++
				continue
			}
			if !f.twoEnded() {
				oneEnd.add(is(f.inside()))
				continue
			}
			inside.add(is(f.inside()))
			if low := f.promised.Low.Or(0); low > 0 {
				width[f.metric] = append(width[f.metric], math.Log(f.promised.High.Or(0)/low))
			}
		}
	}
	fmt.Fprintf(t.out, "top 1 %v · top 3 %v · limit %v · advice %v · false alarms in %v runs · forecasts %v, of one end %v", top1, top3, limit, advice, alarms, inside, oneEnd)
	if disturbed > 0 {
		fmt.Fprintf(t.out, ", %d disturbed", disturbed)
	}
	for _, metric := range []string{"throughput", "p99"} {
		if w := width[metric]; len(w) > 0 {
			sum := 0.0
			for _, v := range w {
				sum += v
			}
			fmt.Fprintf(t.out, " · %s intervals ×%.3g wide", metric, math.Exp(sum/float64(len(w))))
		}
	}
	if contradictions > 0 {
		fmt.Fprintf(t.out, " · %d contradictions", contradictions)
	}
	fmt.Fprintln(t.out)
	return errs
}
