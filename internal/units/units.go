// Package units prints figures: for a column, where digits line up, and for a sentence,
// where fewer are easier to read.
//
//	Figure, Number, Quantity   three significant digits with a unit: "92.1 ms (80.0–97.3)"
//	FromTo                     two of them: "11.7 → 0.40 waiters"
//	Say, About, Span           the same in a sentence: "92 ms", "88 %", "about 43k req/s"
//	Percent, Change, Times     shares and ratios
//
// None has an exponent: what is hardly there prints as "<0.001", a million as "1.00M".
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
	case "s", "s/req", "s/op":
		end := strings.TrimPrefix(unit, "s")
		return []scale{{1e-9, " ns" + end}, {1e-6, " µs" + end}, {1e-3, " ms" + end}, {1, " s" + end}}
	case "B", "B/req", "B/op", "B/s":
		end := strings.TrimPrefix(unit, "B")
		return []scale{{1, " B" + end}, {1e3, " kB" + end}, {1e6, " MB" + end}, {1e9, " GB" + end}, {1e12, " TB" + end}}
	case "req/s":
		return []scale{{1, " req/s"}, {1e3, "k req/s"}, {1e6, "M req/s"}}
	case "count", "":
		return []scale{{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}}
	default:
		return []scale{{1, " " + unit}}
	}
}

// scaleOf picks the scale for v: the largest in which v is at least 1.
func scaleOf(v float64, unit string) scale {
	all := scales(unit)
	best := all[0]
	v = math.Abs(round3(v))
	switch {
	case v == 0 && (unit == "s" || unit == "s/req" || unit == "s/op"):
		return all[len(all)-1]
	case v >= most && best.suffix == "":
		return best // digits says how much that is
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
	case unit == "cores" && v >= least && v < 0.1:
		return strconv.FormatFloat(v, 'g', 1, 64) + s.suffix
	}
	return digits(v/s.by) + s.suffix
}

// Number is Figure of what may be unknown.
func Number(n unpark.Number, unit string) string {
	v, ok := n.Get()
	if !ok {
		return Unknown
	}
	return Figure(v, unit)
}

// FromTo prints two figures of one unit, a noun once: "11.7 → <0.001 waiters", but
// "92.1 ms → 1.20 s".
func FromTo(from, to unpark.Number, unit string) string {
	before := Number(from, unit)
	if len(scales(unit)) == 1 && to.Known() {
		before = strings.TrimSuffix(before, " "+unit)
	}
	return before + " → " + Number(to, unit)
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
	return Figure(v, q.Unit) + interval(q, func(x float64) string { return digits(x / s.by) })
}

func interval(q unpark.Quantity, show func(float64) string) string {
	low, okLow := q.Low.Get()
	high, okHigh := q.High.Get()
	if !okLow || !okHigh {
		return ""
	}
	return " (" + show(low) + "–" + show(high) + ")"
}

// least and most bound what is printed in digits; what is beyond prints as such.
const (
	least = 0.001
	most  = 1e15
)

// digits prints three significant digits and no exponent: "<0.001" for what is hardly
// there, and millions as "1.20M".
func digits(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Unknown
	}
	a := math.Abs(round3(v))
	switch {
	case a == 0:
		return "0"
	case a < least && v < 0:
		return ">-0.001"
	case a < least:
		return "<0.001"
	case a >= most && v < 0:
		return "<-999T"
	case a >= most:
		return ">999T"
	case a >= 1e6:
		s := scaleOf(v, "count")
		return digits(v/s.by) + s.suffix
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
