package external

import (
	"fmt"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

// latency is what a tool printed of its latencies, in the tool's unit.
type latency struct {
	unit                                float64 // seconds in one of the tool's units
	min, mean, p50, p90, p95, p99, p999 unpark.Number
	p9999, max                          unpark.Number
	n                                   int64
}

// settle returns the summary in seconds, and in words what the tool did not print.
//
// unpark.Latency cannot say that one quantile is unknown. Without a median, a p99, a
// mean or a maximum, nothing is returned, and cure says how to make the tool print
// them. In place of another missing quantile stands the next larger figure, an
// upper bound, and the words say so. An error means that the figures contradict
// each other.
func (l latency) settle(tool, cure string) (unpark.Latency, []string, error) {
	if l.n == 0 {
		return unpark.Latency{}, nil, nil
	}
	at, absent, bounded, err := l.ladder()
	if err != nil {
		return unpark.Latency{}, nil, fmt.Errorf("%s: %w", tool, err)
	}
	if len(absent) > 0 {
		return unpark.Latency{}, []string{l.without(tool, absent) + ": " + cure}, nil
	}
	s := func(v float64) float64 { return v * l.unit }
	out := unpark.Latency{
		P50: s(at[0]), P90: s(at[1]), P95: s(at[2]), P99: s(at[3]), P999: s(at[4]), P9999: s(at[5]), Max: s(at[6]),
		Mean: min(s(l.mean.Or(0)), s(at[6])), Min: min(s(max(0, l.min.Or(0))), s(at[0])), N: l.n,
	}
	if len(bounded) == 0 {
		return out, nil, nil
	}
	return out, []string{tool + " prints no " + strings.Join(bounded, ", no ")}, nil
}

// ladder returns the quantiles from p50 to the maximum, in the tool's unit and in
// order; those that are absent although nothing can stand for them; and those that
// have the next larger figure in their place.
func (l latency) ladder() (at [7]float64, absent, bounded []string, err error) {
	if !positive(l.mean).Known() {
		absent = append(absent, "mean")
	}
	figures := [len(at)]struct {
		name string
		v    unpark.Number
		must bool
	}{
		{"p50", l.p50, true},
		{"p90", l.p90, false},
		{"p95", l.p95, false},
		{"p99", l.p99, true},
		{"p99.9", l.p999, false},
		{"p99.99", l.p9999, false},
		{"max", l.max, true},
	}
	next, above := "", 0.0
	for i := len(figures) - 1; i >= 0; i-- {
		f := figures[i]
		v, known := positive(f.v).Get()
		switch {
		case known && above > 0 && v > above*1.05:
			return at, nil, nil, fmt.Errorf("its %s is larger than its %s", f.name, next)
		case known:
			// Rounding to a few digits can put neighbours in the wrong order.
			if above == 0 || v < above {
				above = v
			}
			next = f.name
		case f.must:
			absent = append(absent, f.name)
		case next != "":
			bounded = append(bounded, fmt.Sprintf("%s (in its place: the %s)", f.name, next))
		}
		at[i] = above
	}
	return at, absent, bounded, nil
}

// without tells what is left out for want of figures, and what there was.
func (l latency) without(tool string, absent []string) string {
	text := fmt.Sprintf("%s printed no %s, so the latencies are left out", tool, strings.Join(absent, " and no "))
	var has []string
	for _, f := range []struct {
		name string
		v    unpark.Number
	}{{"mean", l.mean}, {"p50", l.p50}, {"p90", l.p90}, {"p95", l.p95}, {"max", l.max}} {
		if v, ok := positive(f.v).Get(); ok {
			has = append(has, f.name+" "+span(v*l.unit))
		}
	}
	if len(has) == 0 {
		return text
	}
	return text + " (it printed " + strings.Join(has, ", ") + ")"
}

// span prints a time in seconds for a reader.
func span(s float64) string {
	d := time.Duration(min(s, 1e9) * float64(time.Second))
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}
