package check

import (
	"math"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

const unknown = "~"

// quantity prints a figure with its unit in three digits: "92.1 ms".
func quantity(q unpark.Quantity) string {
	v, ok := q.Value.Get()
	if !ok {
		return unknown
	}
	type scale struct {
		by   float64
		unit string
	}
	var scales []scale
	switch base, per, _ := strings.Cut(q.Unit, "/"); {
	case q.Unit == "ratio":
		return digits(100*v) + " %"
	case base == "s":
		scales = []scale{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}
	case base == "B" && per == "req":
		scales = []scale{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}
	case q.Unit == "count", q.Unit == "":
		return digits(v)
	default:
		return digits(v) + " " + q.Unit
	}
	for _, s := range scales {
		if math.Abs(v) >= s.by*0.9995 || s == scales[len(scales)-1] || v == 0 {
			return digits(v/s.by) + " " + s.unit
		}
	}
	return unknown
}

// digits prints three significant digits, without an exponent where a reader would
// write none.
func digits(v float64) string {
	a := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case a >= 1e7 || a < 1e-4:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	places := min(max(2-int(math.Floor(math.Log10(a))), 0), 6)
	s := strconv.FormatFloat(v, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// signed prints a change in percent, with its sign.
func signed(change float64) string {
	if math.Abs(change) < 5e-6 {
		return "±0 %"
	}
	s := digits(math.Abs(100*change)) + " %"
	if math.Abs(change) >= 0.1 {
		s = strconv.FormatFloat(math.Abs(100*change), 'f', 0, 64) + " %"
	}
	if change < 0 {
		return "−" + s
	}
	return "+" + s
}

// share prints a proportion.
func share(v float64) string {
	switch {
	case v == 0:
		return "0 %"
	case v < 0.0995:
		return strconv.FormatFloat(100*v, 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(100*v, 'f', 0, 64) + " %"
	}
}
