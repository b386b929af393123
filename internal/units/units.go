// Package units prints figures: for a column, where digits line up, and for a sentence,
// where a reader wants as few as tell it.
//
//	Figure, Number, Quantity   three significant digits with a unit: "92.1 ms (80.0–97.3)"
//	Say, About, Span           the same in a sentence: "92 ms", "88 %", "about 43k req/s"
//	Percent, Change, Times     shares and ratios
//
// A figure that was not measured prints as Unknown.
package units

import (
	"math"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// Unknown is how a figure that was not measured prints.
const Unknown = "~"

// scale is a unit of display: value in base units ÷ by, with a suffix.
type scale struct {
	by     float64
	suffix string
}

// scales returns the units in which values of a document unit are shown,
// smallest first. A unit that is not in the vocabulary is shown as it is.
func scales(unit string) []scale {
	switch unit {
	case "s", "s/req":
		end := strings.TrimPrefix(unit, "s")
		return []scale{{1e-9, " ns" + end}, {1e-6, " µs" + end}, {1e-3, " ms" + end}, {1, " s" + end}}
	case "B", "B/req", "B/s":
		end := strings.TrimPrefix(unit, "B")
		return []scale{{1, " B" + end}, {1e3, " kB" + end}, {1e6, " MB" + end}, {1e9, " GB" + end}, {1e12, " TB" + end}}
	case "req/s":
		return []scale{{1, " req/s"}, {1e3, "k req/s"}, {1e6, "M req/s"}}
	case "count", "":
		return []scale{{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}}
	default:
		return []scale{{1, " " + unit}}
	}
}

// scaleOf picks the scale for v: the largest in which v is at least 1.
func scaleOf(v float64, unit string) scale {
	all := scales(unit)
	best := all[0]
	v = math.Abs(round3(v))
	if v == 0 && (unit == "s" || unit == "s/req") {
		return all[len(all)-1]
	}
	for _, s := range all[1:] {
		if v >= s.by*(1-1e-12) {
			best = s
		}
	}
	return best
}

// Figure prints v with its unit in three significant digits: "92.1 ms".
func Figure(v float64, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Unknown
	}
	if unit == "ratio" {
		return Percent(v)
	}
	s := scaleOf(v, unit)
	switch {
	case unit == "count" && math.Abs(v) < 1e4 && v == math.Trunc(v):
		return strconv.Itoa(int(v))
	case unit == "cores" && v >= 0.1 && v < 1:
		return strconv.FormatFloat(v, 'f', 2, 64) + s.suffix // the third digit is noise
	case unit == "cores" && v > 0 && v < 0.1:
		return strconv.FormatFloat(v, 'g', 1, 64) + s.suffix
	}
	return Digits(v/s.by) + s.suffix
}

func Number(n unpark.Number, unit string) string {
	v, ok := n.Get()
	if !ok {
		return Unknown
	}
	return Figure(v, unit)
}

// Quantity prints a value and, when known, its interval in the same unit:
// "13.8 ms (7.37–32.2)".
func Quantity(q unpark.Quantity) string {
	v, ok := q.Value.Get()
	if !ok {
		return Unknown
	}
	if q.Unit == "ratio" {
		return Percent(v) + interval(q, func(x float64) string { return strings.TrimSuffix(Percent(x), " %") })
	}
	s := scaleOf(v, q.Unit)
	return Figure(v, q.Unit) + interval(q, func(x float64) string { return Digits(x / s.by) })
}

func interval(q unpark.Quantity, show func(float64) string) string {
	low, okLow := q.Low.Get()
	high, okHigh := q.High.Get()
	if !okLow || !okHigh {
		return ""
	}
	return " (" + show(low) + "–" + show(high) + ")"
}

// Digits prints three significant digits without an exponent where a reader
// would write none.
func Digits(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Unknown
	}
	a := math.Abs(round3(v))
	switch {
	case a == 0:
		return "0"
	case a >= 1e6 || a < 1e-4:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case a >= 100:
		return group(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	default:
		places := 2 - int(math.Floor(math.Log10(a)))
		return strconv.FormatFloat(v, 'f', places, 64)
	}
}

// round3 rounds to three significant digits, so that 999.96 µs is 1.00 ms.
func round3(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Typed prints a figure that somebody typed, without padding zeros: "10 s".
func Typed(v float64, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Unknown
	}
	s := scaleOf(v, unit)
	text := strconv.FormatFloat(round3(v/s.by), 'f', -1, 64)
	if unit == "cores" {
		return unpark.Plural(text, "core")
	}
	return text + s.suffix
}

// group sets commas between thousands.
func group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Count prints a whole number with commas between thousands.
func Count(n int64) string { return group(strconv.FormatInt(n, 10)) }

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
		return group(strconv.FormatFloat(p, 'f', 0, 64)) + " %"
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
		return "×" + Digits(r)
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

// AsFactor reports whether a ratio is told as a factor, with its interval: a percentage
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
		return "×" + Digits(v) + " (×" + Digits(low) + " to ×" + Digits(high) + ")"
	}
	return Change(v) + " (" + Change(low) + " to " + Change(high) + ")"
}

// Times prints a ratio as a factor with its interval: "×0.15 (0.08–0.35)".
func Times(q unpark.Quantity) string {
	v, ok := q.Value.Get()
	if !ok {
		return Unknown
	}
	return Factor(v) + interval(q, factor)
}

// Factor prints a ratio with two decimals near 1 and three digits elsewhere: "×0.95".
func Factor(v float64) string { return "×" + factor(v) }

// factor prints a ratio with two decimals near 1 and three digits elsewhere.
func factor(v float64) string {
	switch {
	case v >= 0.1 && v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v >= 1e-4 && v < 0.1:
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	return Digits(v)
}

// Say prints a figure within a sentence: no more than three significant digits, two
// below 1, and no zeros behind the point; a share in whole percents.
func Say(v float64, unit string) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return Unknown
	case unit == "ratio" && v > 0 && v < 0.095:
		return strconv.FormatFloat(v*100, 'g', 2, 64) + " %"
	case unit == "ratio":
		return group(strconv.FormatFloat(v*100, 'f', 0, 64)) + " %"
	case unit == "cores" && v > 0 && v < 0.1:
		return strconv.FormatFloat(v, 'g', 1, 64) + " cores"
	case unit == "cores":
		return unpark.Plural(trim(strconv.FormatFloat(v, 'f', 2, 64)), "core")
	}
	s := scaleOf(v, unit)
	return say(v/s.by) + s.suffix
}

// say prints three significant digits, two below 1.
func say(v float64) string {
	if a := math.Abs(v); a < 1 && a >= 1e-4 {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64) // its own output
	}
	return trim(Digits(v))
}

// SayChange prints a ratio in a sentence as a change, "+52 %" or "−7.1 %", or as a
// factor, "×3.54", where it or its interval is far from 1, as the tables do.
func SayChange(q unpark.Quantity) string {
	ratio := q.Value.Or(1)
	switch share := math.Abs(100 * (ratio - 1)); {
	case AsFactor(q) && ratio >= 1:
		return "×" + trim(Digits(ratio))
	case AsFactor(q):
		return "×" + say(ratio)
	case share < 0.05:
		return noChange
	case share < 10:
		return sign(ratio-1) + strconv.FormatFloat(share, 'f', 1, 64) + " %"
	default:
		return sign(ratio-1) + strconv.FormatFloat(share, 'f', 0, 64) + " %"
	}
}

func sign(v float64) string {
	if v < 0 {
		return "−"
	}
	return "+"
}

// About prints an extrapolated figure in a sentence, with the two digits that it is good
// for.
func About(v float64, unit string) string {
	if v <= 0 || math.IsInf(v, 0) {
		return Say(v, unit)
	}
	step := math.Pow(10, math.Floor(math.Log10(v))-1)
	return Say(math.Round(v/step)*step, unit)
}

// Span prints a range in one unit, that of its upper end: "4–12 ms".
func Span(low, high float64, unit string) string {
	s := scaleOf(high, unit)
	return say(low/s.by) + "–" + say(high/s.by) + s.suffix
}

// trim drops zeros behind the point.
func trim(s string) string {
	if strings.Contains(s, ".") && !strings.Contains(s, "e") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
