package search

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
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
func (t Term) String() string { return t.Metric + t.Op + amount(t.Bound, t.Unit) }

// broken says what was measured, unknown where there was nothing to measure it on, and
// what was promised.
func (t Term) broken(measured unpark.Number) string {
	got, known := measured.Get()
	if !known {
		return t.Metric + " is unknown: no request was answered; " + t.String() + " was wanted"
	}
	text := t.Metric + " was " + amount(got, t.Unit) + ", wanted " + t.Op + " " + amount(t.Bound, t.Unit)
	if t.Assumed {
		text += " (assumed, as no term names it)"
	}
	return text
}

// amount prints a value in its unit to three digits.
func amount(v float64, unit string) string {
	switch unit {
	case "s":
		return span(v)
	case "ratio":
		return digits(100*v) + "%"
	}
	return digits(v) + "/s"
}

// digits prints three significant digits, and all digits of whole parts.
func digits(v float64) string {
	if v >= 1000 || v <= -1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// span prints seconds to three digits.
func span(s float64) string {
	d := time.Duration(s * float64(time.Second))
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d >= unit.size {
			return digits(float64(d)/float64(unit.size)) + unit.name
		}
	}
	return fmt.Sprintf("%dns", d.Nanoseconds())
}

// tell puts the answer into one sentence.
func (r Result) tell(o Options) string {
	value, known := r.Rate.Value.Get()
	low, high := r.Rate.Low.Or(value), r.Rate.High.Or(value)
	switch {
	case !known && r.Ceiling == NeverHeld:
		return fmt.Sprintf("no rate was found that holds: at %s req/s, the lowest that was tried, %s", digits(high), r.lowest())
	case !known:
		return "no rate was found that holds: " + r.ending(o)
	case r.Ceiling == OfService:
		return fmt.Sprintf("%s req/s hold (90 %% interval %s to %s, %d probes)", digits(value), digits(low), digits(high), r.Rate.N)
	case r.Rate.High.Known():
		return fmt.Sprintf("about %s req/s hold (90 %% interval %s to %s, %d probes): %s", digits(value), digits(low), digits(high), r.Rate.N, r.ending(o))
	}
	return fmt.Sprintf("at least %s req/s hold: %s", digits(value), r.ending(o))
}

// ending says what ended a search that did not find the service's own ceiling.
func (r Result) ending(o Options) string {
	switch r.Ceiling {
	case OfGenerator:
		return fmt.Sprintf("the generator was the limit at %s req/s, so the ceiling is the generator's, not the service's", digits(r.Probes[len(r.Probes)-1].Rate))
	case OfOptions:
		return fmt.Sprintf("%s req/s is the highest rate that may be tried", digits(o.Max))
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
	at, unit, each := b.at.level.RateRPS, "req/s offered", "req/s"
	if at == 0 {
		at, unit, each = float64(b.at.level.Connections), "connections", "connection"
	}
	where := "the knee is at " + digits(at) + " " + unit
	if b.first {
		where = "the knee is at or below the lowest level, " + digits(at) + " " + unit
	}
	return fmt.Sprintf("%s: beyond it each further %s adds %s req/s where the first ones added %s, and the mean response grows from %s to %s",
		where, each, digits(b.after), digits(b.before), span(b.at.latency), span(b.last.latency))
}

// perLevel returns the position of a level on its axis: connections or req/s.
func perLevel(l unpark.Level) float64 {
	if l.RateRPS > 0 {
		return l.RateRPS // an open load has connections as well, as a bound
	}
	return float64(l.Connections)
}
