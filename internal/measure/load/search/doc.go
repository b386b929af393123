// Package search finds the highest rate at which a service keeps what it
// promised, and the knee of a sweep.
//
// [ParseSLO] reads the promise: "p99<50ms,errors<0.1%". [Highest] then drives
// whatever measures one rate for a while:
//
//  1. Grow: the rate doubles from a start rate until the promise breaks, or the
//     generator or the caller's bound ends the search. A service that breaks at
//     the start is slowed down instead.
//  2. Bisect, on a logarithmic scale, until the rates that hold and that break
//     are 5 % apart. A verdict that the promise broke is taken twice, and a
//     third time when the two differ: one hiccup shall not halve the answer.
//  3. Repeat at the edge, both sides in turns in random order, so that a drift
//     of the machine does not look like a difference of the rates. When the
//     repeats contradict the bracket it moves.
//
// # What the answer means
//
// Whether a probe holds is chance near the edge: the p99 of ten seconds differs
// from that of the next ten. The answer is the rate at which holding and breaking
// are equally likely, were it not for hiccups, with a 90 % interval (estimate.go).
// The interval is never narrower than the last bracket: between two rates that
// were tried nothing is known. A rate that surely holds is the low
// end, or Held, the highest rate at which no probe broke.
//
// Probes that contradict each other widen the interval. When nothing broke there
// is no interval but "at least", and Ceiling says what ended the search.
package search
