package diagnose

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// short drops the import path before the package: "cache.(*Cache).Get".
func short(function string) string { return unpark.ShortFunction(function) }

// seconds prints a time with three digits: "2.1 ms", "37 µs".
func seconds(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1:
		return digits(v) + " s"
	case a >= 1e-3:
		return digits(v*1e3) + " ms"
	case a >= 1e-6:
		return digits(v*1e6) + " µs"
	default:
		return digits(v*1e9) + " ns"
	}
}

// bytes prints a size in SI units.
func bytes(v float64) string {
	switch {
	case v >= 1e9:
		return digits(v/1e9) + " GB"
	case v >= 1e6:
		return digits(v/1e6) + " MB"
	case v >= 1e3:
		return digits(v/1e3) + " kB"
	default:
		return digits(v) + " B"
	}
}

// percent prints a share; a small one keeps a digit, so that it is not zero.
func percent(v float64) string {
	if v > 0 && v < 0.095 {
		return strconv.FormatFloat(v*100, 'g', 2, 64) + " %"
	}
	return fmt.Sprintf("%.0f %%", v*100)
}

func rate(v float64) string { return digits(v) + " req/s" }

// about prints an extrapolated rate with the two digits that it is good for.
func about(v float64) string {
	if v <= 0 {
		return rate(v)
	}
	step := math.Pow(10, math.Floor(math.Log10(v))-1)
	return rate(math.Round(v/step) * step)
}

// digits prints two digits after a small number and none after a large one.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 10:
		return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
	default:
		return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 2, 64), ".00")
	}
}

func fact(text string, v float64, unit, source string) unpark.Fact {
	return unpark.Fact{Text: text, Value: unpark.Num(v), Unit: unit, Source: source}
}

func numberFact(text string, n unpark.Number, unit, source string) []unpark.Fact {
	v, ok := n.Get()
	if !ok {
		return nil
	}
	return []unpark.Fact{fact(text, v, unit, source)}
}

// maxPath is the length of a finding's path (finding.go: at most 12 sites).
const maxPath = 12

func path(stack []unpark.Site) []unpark.Site {
	return stack[:min(len(stack), maxPath)]
}

func pointer(s unpark.Site) *unpark.Site {
	if s.IsZero() {
		return nil
	}
	return &s
}

// on reports whether a stack runs through a function.
func on(stack []unpark.Site, function string) bool {
	for _, s := range stack {
		if s.Function == function {
			return true
		}
	}
	return false
}

// touches reports whether a stack has a frame whose function starts with one of
// the prefixes.
func touches(stack []unpark.Site, prefixes ...string) bool {
	for _, s := range stack {
		if hasPrefix(s.Function, prefixes...) {
			return true
		}
	}
	return false
}

func hasPrefix(function string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}
