package load

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/requests"
)

// maxRate is far above what one generator can send; a rate beyond it is a typing
// mistake.
const maxRate = 1e7

const rateExamples = "write 500/s, 30/m, poisson:500/s, ramp:10..100/3m, steps:100,200/30s or spike:100..2000/10s@60s"

var (
	errRateUnit  = errors.New("the unit is missing")
	errRampShape = errors.New("a ramp is FROM..TO/DURATION with rates per second")
)

// ParseRate reads the value of the --rate flag:
//
//	500/s  30/m  100/h            constant
//	poisson:500/s                 exponential gaps
//	ramp:10..100/3m               from 10 to 100 per second within 3 minutes
//	ramp:10..100/3m,100..100/1m   several legs
//	steps:100,200,400/30s         each rate for 30 s
//	spike:100..2000/10s@60s       100/s, and for 10 s after a minute 2000/s
//
// The plan that it returns has Mode and RateRPS or Stages set, nothing else.
func ParseRate(s string) (unpark.Plan, error) {
	plan, err := parseRate(strings.TrimSpace(s))
	if err != nil {
		return unpark.Plan{}, fmt.Errorf("--rate %q: %w; %s", s, err, rateExamples)
	}
	return plan, nil
}

func parseRate(s string) (unpark.Plan, error) {
	mode, rest, found := strings.Cut(s, ":")
	if !found {
		mode, rest = string(unpark.Constant), s
	}
	switch unpark.Mode(mode) {
	case unpark.Constant, unpark.Poisson:
		rate, err := parsePerUnit(rest)
		return unpark.Plan{Mode: unpark.Mode(mode), RateRPS: rate}, err
	case unpark.Ramp:
		stages, err := parseStages(rest)
		return unpark.Plan{Mode: unpark.Ramp, Stages: stages}, err
	}
	if mode == "steps" || mode == "spike" {
		stages, err := requests.ParseStages(s)
		return unpark.Plan{Mode: unpark.Ramp, Stages: stages}, err
	}
	return unpark.Plan{}, fmt.Errorf("%q is no way of arriving", mode)
}

func parsePerUnit(s string) (float64, error) {
	if s == "" {
		return 0, errors.New("it is empty")
	}
	number, unit, found := strings.Cut(s, "/")
	v, err := parseNumber(number)
	if err != nil {
		return 0, err
	}
	if !found {
		return 0, errRateUnit
	}
	per, ok := map[string]float64{"s": 1, "m": 60, "min": 60, "h": 3600}[unit]
	if !ok {
		return 0, fmt.Errorf("the unit %q is none of s, m, h", unit)
	}
	v /= per
	return v, checkRate(v)
}

func checkRate(v float64) error {
	switch {
	case !(v > 0):
		return errors.New("the rate must be above 0")
	case v > maxRate:
		return fmt.Errorf("the rate must be at most %g/s", float64(maxRate))
	}
	return nil
}

func parseNumber(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return v, nil
}

func parseStages(s string) ([]unpark.Stage, error) {
	var stages []unpark.Stage
	for leg := range strings.SplitSeq(s, ",") {
		st, err := parseStage(leg)
		if err != nil {
			return nil, err
		}
		stages = append(stages, st)
	}
	return stages, checkStages(stages)
}

func parseStage(s string) (unpark.Stage, error) {
	span, length, found := strings.Cut(s, "/")
	low, high, dots := strings.Cut(span, "..")
	if !found || !dots {
		return unpark.Stage{}, fmt.Errorf("%q: %w", s, errRampShape)
	}
	from, err := parseNumber(low)
	if err != nil {
		return unpark.Stage{}, err
	}
	to, err := parseNumber(high)
	if err != nil {
		return unpark.Stage{}, err
	}
	d, err := time.ParseDuration(length)
	if err != nil {
		return unpark.Stage{}, fmt.Errorf("%q is no duration such as 30s or 3m", length)
	}
	return unpark.Stage{From: from, To: to, Duration: d.Seconds()}, nil
}

// checkStages is shared with plans that no flag made.
func checkStages(stages []unpark.Stage) error {
	if len(stages) == 0 {
		return errors.New("a ramp needs at least one leg")
	}
	peak := 0.0
	for _, st := range stages {
		if !(st.From >= 0) || !(st.To >= 0) || max(st.From, st.To) > maxRate {
			return fmt.Errorf("the leg %g..%g needs rates from 0 to %g/s", st.From, st.To, float64(maxRate))
		}
		if !(st.Duration > 0) || math.IsInf(st.Duration, 0) {
			return fmt.Errorf("the leg %g..%g needs a duration above 0", st.From, st.To)
		}
		peak = max(peak, st.From, st.To)
	}
	if peak == 0 {
		return errors.New("the ramp never leaves rate 0")
	}
	return nil
}
