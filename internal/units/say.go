package units

import (
	"math"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// Say prints a figure within a sentence: no more than three significant digits, two
// below 1, and no zeros behind the point; a share in whole percents.
func Say(v float64, unit string) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return Unknown
	case unit == "ratio" && v > 0 && v < 0.0001:
		return "<0.01 %"
	case unit == "ratio" && v > 0 && v < 0.095:
		return strconv.FormatFloat(v*100, 'g', 2, 64) + " %"
	case unit == "ratio":
		return trim(digits(math.Round(v*100))) + " %"
	case unit == "cores" && v >= least && v < 0.1:
		return strconv.FormatFloat(v, 'g', 1, 64) + " cores"
	case unit == "cores" && (v == 0 || v >= 0.1) && v < 1e6:
		return unpark.Plural(trim(strconv.FormatFloat(v, 'f', 2, 64)), "core")
	}
	s := scaleOf(v, unit)
	return say(v/s.by) + s.suffix
}

// say prints three significant digits, two below 1.
func say(v float64) string {
	if a := math.Abs(v); a < 1 && a >= least {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64) // its own output
	}
	return trim(digits(v))
}

// SayChange prints a ratio in a sentence as a change, "+52 %" or "−7.1 %", or as a
// factor, "×3.54", where it or its interval is far from 1, as the tables do.
func SayChange(q unpark.Quantity) string {
	ratio := q.Value.Or(1)
	switch share := math.Abs(100 * (ratio - 1)); {
	case AsFactor(q) && ratio >= 1:
		return "×" + trim(digits(ratio))
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

// Span prints a range in one unit, that of its upper end: "4–12 ms", "27–86 %".
func Span(low, high float64, unit string) string {
	if unit == "ratio" {
		return strings.TrimSuffix(Say(low, unit), " %") + "–" + Say(high, unit)
	}
	s := scaleOf(high, unit)
	return say(low/s.by) + "–" + say(high/s.by) + s.suffix
}

// trim drops zeros behind the point.
func trim(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
