package check

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// operators are the ways to write a comparison, longer ones first.
func operators() [][2]string {
	return [][2]string{
		{"<=", "<="},
		{">=", ">="},
		{"≤", "<="},
		{"≥", ">="},
		{"<", "<"},
		{">", ">"},
		{"at most ", "<="},
		{"at least ", ">="},
		{"below ", "<"},
		{"above ", ">"},
	}
}

// factors returns the units in which a figure may be written, with their size in
// the document's unit.
func factors(unit string) map[string]float64 {
	switch unit {
	case "s":
		return map[string]float64{"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1}
	case "s/req":
		out := map[string]float64{}
		for u, by := range factors("s") {
			out[u], out[u+"/req"] = by, by
		}
		return out
	case "B/req":
		out := map[string]float64{}
		for u, by := range map[string]float64{"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
			out[u], out[u+"/req"] = by, by
		}
		return out
	case "req/s":
		return map[string]float64{"req/s": 1, "/s": 1, "k req/s": 1e3, "k/s": 1e3}
	case "waiters":
		return map[string]float64{"": 1, "waiters": 1}
	case "ratio":
		return map[string]float64{"%": 0.01}
	default:
		return nil
	}
}

// parseBound reads a limit of m: an operator, a figure and its unit, or a change
// against the baseline, which has a sign and is in percent.
func parseBound(m metric, text string) (unpark.Bound, error) {
	b := unpark.Bound{Metric: m.key, Unit: m.unit, Text: strings.Join(strings.Fields(text), " ")}
	rest := b.Text
	for _, o := range operators() {
		if cut, ok := strings.CutPrefix(rest, o[0]); ok {
			b.Op, rest = o[1], strings.TrimSpace(cut)
			break
		}
	}
	if b.Op == "" {
		return b, fmt.Errorf("%q has no <, <=, > or >=: write %s", text, m.like)
	}
	if up := b.Op[0] == '>'; up != m.more {
		side := map[bool]string{true: "at least", false: "at most"}[m.more]
		return b, fmt.Errorf("%q bounds it on the side where it is better: write %s …, such as %s", text, side, m.like)
	}
	rest = strings.Replace(rest, "−", "-", 1)
	signed := strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+")
	v, unit, err := figureOf(rest)
	if err != nil {
		return b, fmt.Errorf("%q: %w: write %s", text, err, m.like)
	}
	if signed {
		return relative(b, m, v, unit)
	}
	by, ok := factors(m.unit)[unit]
	switch {
	case !ok && unit == "%":
		return b, fmt.Errorf("%q: %s is %s; a change against the baseline has a sign: write %s", text, m.key, m.what, m.like)
	case !ok && unit == "":
		return b, fmt.Errorf("%q has no unit and %s is %s: write %s", text, m.key, m.what, m.like)
	case !ok:
		return b, fmt.Errorf("%q: %q is not a unit of %s: write one of %s", text, unit, m.what, known(m.unit))
	}
	b.Value = v * by
	if math.IsInf(b.Value, 0) {
		return b, fmt.Errorf("%q is out of range: write %s", text, m.like)
	}
	return b, nil
}

// relative makes b a bound against a baseline: of v in the given unit.
func relative(b unpark.Bound, m metric, v float64, unit string) (unpark.Bound, error) {
	b.Baseline, b.Value = true, v/100
	switch {
	case unit != "%":
		return b, fmt.Errorf("%q: a figure with a sign is a change against the baseline, in percent: write %s", b.Text, m.like)
	case m.key != keyErrors && m.band == 0:
		return b, fmt.Errorf("%q: how identical runs differ in %s was not measured, so it cannot be held against a baseline: write %s", b.Text, m.key, m.like)
	case m.key != keyErrors && b.Value <= -1, math.Abs(b.Value) > mostChange:
		return b, fmt.Errorf("%q: no such change is possible: write %s", b.Text, m.like)
	}
	return b, nil
}

// figureOf splits "92.5 ms" into its figure and its unit.
func figureOf(s string) (v float64, unit string, err error) {
	end := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("+-.0123456789", r) })
	if end < 0 {
		end = len(s)
	}
	v, err = strconv.ParseFloat(s[:end], 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, "", errors.New("no number in it")
	}
	return v, strings.TrimSpace(s[end:]), nil
}

// known lists the units in which a bound may be written.
func known(unit string) string {
	var out []string
	for u := range factors(unit) {
		if u != "" && u != "μs" && !strings.HasSuffix(u, "/req") {
			out = append(out, u)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
