package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/unpark-go/unpark"
)

func (b board) stepCells() [][]string {
	var out [][]string
	for _, s := range b.steps {
		cells := []string{s.lab, s.before + " → " + s.after, s.metric}
		if len(s.forecasts)+len(s.ends) == 0 {
			out = append(out, append(cells, "none", "", "", "", "–"+s.notes()))
			continue
		}
		out = append(out, append(cells, s.cells()...))
	}
	return out
}

// cells are the figures of a step: medians of what was forecast, and each outcome.
func (s step) cells() []string {
	if len(s.forecasts) == 0 {
		return []string{s.end(), "", "", outcomes(s.ends), verdictOf(s.ends) + s.notes()}
	}
	middle := func(of func(unpark.Quantity) float64) float64 { return middleOf(s.forecasts, of) }
	value := middle(func(q unpark.Quantity) float64 { return q.Value.Or(math.NaN()) })
	low := middle(func(q unpark.Quantity) float64 { return q.Low.Or(math.NaN()) })
	high := middle(func(q unpark.Quantity) float64 { return q.High.Or(math.NaN()) })
	inside := verdictOf(s.forecasts)
	if len(s.ends) > 0 {
		inside += fmt.Sprintf("; %s: %s, measured %s", s.end(), verdictOf(s.ends), outcomes(s.ends))
	}
	return []string{
		times(value), times(low) + " to " + times(high), fmt.Sprintf("%.2g", middle(width)),
		outcomes(s.forecasts), inside + s.notes(),
	}
}

func middleOf(forecasts []unpark.Forecast, of func(unpark.Quantity) float64) float64 {
	var v []float64
	for _, f := range forecasts {
		v = append(v, of(f.Predicted))
	}
	return median(v)
}

// end is the one end that is said in some repeats, its median.
func (s step) end() string {
	low := func(q unpark.Quantity) float64 { return q.Low.Or(math.NaN()) }
	if s.ends[0].Predicted.Low.Known() {
		return "at least " + times(middleOf(s.ends, low))
	}
	return "at most " + times(middleOf(s.ends, func(q unpark.Quantity) float64 { return q.High.Or(math.NaN()) }))
}

// outcomes are what was measured in each repeat.
func outcomes(forecasts []unpark.Forecast) string {
	var out []string
	for _, f := range forecasts {
		out = append(out, times(f.Measured.Value.Or(math.NaN())))
	}
	return strings.Join(out, " ")
}

// verdictOf says how many came true.
func verdictOf(forecasts []unpark.Forecast) string {
	c := cameTrue(forecasts)
	if c.n < c.of {
		return c.String() + " outside"
	}
	return c.String()
}

// notes says which repeats are not among the figures.
func (s step) notes() (out string) {
	if s.none > 0 {
		out += fmt.Sprintf(", %d without", s.none)
	}
	if s.disturbed > 0 {
		out += fmt.Sprintf(", %d disturbed", s.disturbed)
	}
	return out
}
