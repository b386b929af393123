package search

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// String prints the terms as they are written, without those that are assumed.
func (s SLO) String() string {
	var parts []string
	for _, t := range s.Terms {
		if !t.Assumed {
			parts = append(parts, t.String())
		}
	}
	return strings.Join(parts, ",")
}

// String prints the term as it is written: "p99<50ms".
func (t Term) String() string {
	bound := strconv.FormatFloat(t.Bound, 'f', -1, 64) + "/s"
	switch t.Unit {
	case "s":
		bound = time.Duration(math.Round(t.Bound * float64(time.Second))).String()
	case "ratio":
		bound = percent(t.Bound) + "%"
	}
	return t.Metric + t.Op + bound
}

// percent prints a bound in full, to twelve decimals: 99.95 % is not 100 %.
func percent(v float64) string {
	return strconv.FormatFloat(math.Round(100*v*1e12)/1e12, 'f', -1, 64)
}

// broken says what was measured, unknown where there was nothing to measure it on, and
// what was promised. What three digits do not tell from that is just above or below.
func (t Term) broken(measured unpark.Number) string {
	v, known := measured.Get()
	if !known {
		return t.Metric + " is unknown: no request was answered; " + t.String() + " was wanted"
	}
	show := func(v float64) string { return units.Say(v, t.Unit) }
	bound := show(t.Bound)
	if t.Unit == "ratio" {
		show, bound = units.Percent, percent(t.Bound)+" %"
	}
	got := show(v)
	switch same := got == show(t.Bound); {
	case same && v > t.Bound:
		got = "just above " + bound
	case same && v < t.Bound:
		got = "just below " + bound
	}
	verb := " was "
	if t.Metric == "errors" {
		verb = " were "
	}
	text := t.Metric + verb + got + ", wanted " + t.Op + " " + bound
	if t.Assumed {
		text += " (assumed, as no term names it)"
	}
	return text
}

func perSecond(v float64) string { return units.Say(v, "req/s") }

// tell puts the answer into one sentence.
func (r Result) tell(o Options) string {
	value, known := r.Rate.Value.Get()
	low, high := r.Rate.Low.Or(value), r.Rate.High.Or(value)
	switch {
	case !known && r.Ceiling == NeverHeld:
		return fmt.Sprintf("no rate was found that holds: at %s, the lowest that was tried, %s", perSecond(high), r.lowest())
	case !known:
		return "no rate was found that holds: " + r.ending(o)
	case r.Ceiling == OfService:
		return fmt.Sprintf("%s hold (90 %% interval %s, %d probes)", perSecond(value), units.Span(low, high, "req/s"), r.Rate.N)
	case r.Rate.High.Known():
		return fmt.Sprintf("about %s hold (90 %% interval %s, %d probes): %s", perSecond(value), units.Span(low, high, "req/s"), r.Rate.N, r.ending(o))
	}
	return fmt.Sprintf("at least %s hold: %s", perSecond(value), r.ending(o))
}

// ending says what ended a search that did not find the service's own ceiling.
func (r Result) ending(o Options) string {
	switch r.Ceiling {
	case OfGenerator:
		return fmt.Sprintf("the generator was the limit at %s, so the ceiling is the generator's, not the service's", perSecond(r.Probes[len(r.Probes)-1].Rate))
	case OfOptions:
		return fmt.Sprintf("%s is the highest rate that may be tried", perSecond(o.Max))
	case OfBudget:
		return fmt.Sprintf("the budget of %d probes was used up", o.Probes)
	case NeverHeld:
		return "the promise broke at the lowest rates"
	}
	return "the search was ended early"
}

// lowest quotes why the slowest probe broke.
func (r Result) lowest() string {
	var at *Probe
	for i := range r.Probes {
		if p := &r.Probes[i]; len(p.Violations) > 0 && (at == nil || p.Rate <= at.Rate) {
			at = p
		}
	}
	if at == nil {
		return "nothing was measured"
	}
	return at.Violations[0]
}

// String names the knee in words, with the unit of the sweep.
func (b bend) String() string {
	at, each := perSecond(b.at.level.RateRPS)+" offered", "req/s"
	if b.at.level.RateRPS == 0 {
		at, each = unpark.Plural(units.Count(int64(b.at.level.Connections)), "connection"), "connection"
	}
	where := "the knee is at " + at
	if b.first {
		where = "the knee is at or below the lowest level, " + at
	}
	return fmt.Sprintf("%s: beyond it each further %s adds %s where the first ones added %s, and the mean response grows from %s to %s",
		where, each, perSecond(b.after), perSecond(b.before), units.Say(b.at.latency, "s"), units.Say(b.last.latency, "s"))
}

// perLevel returns the position of a level on its axis: connections or req/s.
func perLevel(l unpark.Level) float64 {
	if l.RateRPS > 0 {
		return l.RateRPS // an open load has connections as well, as a bound
	}
	return float64(l.Connections)
}
