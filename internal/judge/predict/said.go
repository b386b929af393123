package predict

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// Said is what is told of a forecast: it takes back a p99 whose ends are too far apart to plan with, as of ×0.02
// to ×1.1. Where even the upper end is a gain that end is said alone. Findings are ranked and folded
// by all that was computed, so that this comes last.
func Said(p unpark.Prediction) unpark.Prediction {
	if p.BuysNothing() {
		return p
	}
	p.Alternatives = slices.Clone(p.Alternatives)
	for i, a := range p.Alternatives {
		p.Alternatives[i].P99 = tellable(a.P99)
	}
	q := tellable(p.P99)
	if q == p.P99 {
		return p
	}
	return limited(p, q, "its interval would be more than four times as high as low", "requests that do not wait may be spread in too many ways")
}

// limited is a forecast with what is left of its p99, and why: of none of it, or where one end is left.
func limited(p unpark.Prediction, q unpark.Quantity, none, one string) unpark.Prediction {
	p.P99, p.P99Unsaid = q, ""
	why := "how far p99 falls is not predicted: " + one
	if !q.High.Known() {
		p.P99Unsaid, why = none, "p99 is not predicted: "+none
	}
	p.Assumptions = append(slices.Clone(p.Assumptions), why)
	return p
}

// tellable is an interval with the ends that are worth saying; one end stays as it is.
func tellable(q unpark.Quantity) unpark.Quantity {
	if !q.Known() || q.High.Or(0) <= widestTail*q.Low.Or(0) {
		return q
	}
	return atMost(q)
}

// atMost is the upper end of an interval alone, where that is a gain; else nothing.
func atMost(q unpark.Quantity) unpark.Quantity {
	if q.High.Or(1) > 1/(1+unpark.LeastGain) {
		return unpark.Quantity{}
	}
	return unpark.Quantity{Unit: q.Unit, High: q.High, N: q.N}
}
