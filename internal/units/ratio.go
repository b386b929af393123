package units

import (
	"math"
	"strconv"

	"github.com/unpark-go/unpark"
)

// Percent prints a share.
func Percent(v float64) string {
	p := v * 100
	a := math.Abs(p)
	switch {
	case math.IsNaN(p) || math.IsInf(p, 0):
		return Unknown
	case a == 0:
		return "0 %"
	case a < 0.01:
		return "<0.01 %"
	case a < 0.995:
		return strconv.FormatFloat(p, 'f', 2, 64) + " %"
	case a < 99.95:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	default:
		return digits(p) + " %"
	}
}

const noChange = "±0 %"

// Change prints a ratio as what it does to a figure: "+1.3 %" near 1, "×3.5"
// where a percentage would mislead.
func Change(r float64) string {
	switch {
	case math.IsNaN(r) || math.IsInf(r, 0):
		return Unknown
	case r >= 2 || r <= 0.5:
		return "×" + digits(r)
	}
	p := (r - 1) * 100
	switch {
	case math.Abs(p) < 0.05:
		return noChange
	case p > 0:
		return "+" + strconv.FormatFloat(p, 'f', 1, 64) + " %"
	default:
		return "−" + strconv.FormatFloat(-p, 'f', 1, 64) + " %"
	}
}

// AsFactor reports whether a ratio prints as a factor, with its interval: a percentage
// misleads far from 1, and two kinds of figures for one ratio cannot be compared.
func AsFactor(q unpark.Quantity) bool {
	for _, n := range []unpark.Number{q.Value, q.Low, q.High} {
		if v, ok := n.Get(); ok && (v >= 2 || v <= 0.5) {
			return true
		}
	}
	return false
}

// Changed prints a ratio with its interval: "+1.3 % (±0 % to +1.4 %)", or as a factor
// where one of them is far from 1: "×1.61 (×1.10 to ×28.0)".
func Changed(q unpark.Quantity) string {
	v, ok := q.Value.Get()
	if !ok {
		return Unknown
	}
	low, okLow := q.Low.Get()
	high, okHigh := q.High.Get()
	if !okLow || !okHigh {
		return Change(v)
	}
	if AsFactor(q) {
		return "×" + digits(v) + " (×" + digits(low) + " to ×" + digits(high) + ")"
	}
	return Change(v) + " (" + Change(low) + " to " + Change(high) + ")"
}

// Times prints a ratio as a factor, with its interval when known: "×0.15 (0.08–0.35)".
func Times(q unpark.Quantity) string {
	v, ok := q.Value.Get()
	if !ok {
		return Unknown
	}
	return "×" + factor(v) + interval(q, factor)
}

// factor prints a ratio with two decimals near 1 and three digits elsewhere.
func factor(v float64) string {
	switch {
	case v >= 0.1 && v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v >= least && v < 0.1:
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	return digits(v)
}
