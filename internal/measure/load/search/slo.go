package search

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

// SLO is what a service promised: every term has to hold.
type SLO struct{ Terms []Term }

// Term is one bound on one metric.
type Term struct {
	Metric string // "p50" … "p999", "max", "mean", "errors", "rate"
	Op     string // "<", "<=", ">", ">="
	Bound  float64
	Unit   string // "s", "ratio" (of requests, or of the offered rate), "req/s"
	// Assumed says that the term was not asked for: see ParseSLO.
	Assumed bool
}

const sloExample = "write p99<50ms,errors<0.1%"

// latencyMetric returns the latency of that name, in seconds.
func latencyMetric(name string, l unpark.Latency) (v float64, ok bool) {
	switch name {
	case "p50":
		return l.P50, true
	case "p90":
		return l.P90, true
	case "p95":
		return l.P95, true
	case "p99":
		return l.P99, true
	case "p999":
		return l.P999, true
	case "max":
		return l.Max, true
	case "mean":
		return l.Mean, true
	}
	return 0, false
}

// ParseSLO reads terms separated by commas: a latency (p50, p90, p95, p99, p999,
// max, mean; of the response, from the intended start) below a time, errors below
// a percentage of the requests, rate (what was achieved) above a percentage of
// the offered rate or above a number per second.
//
// Where no term names them, errors<=1% and rate>=95% are assumed. Errors name the
// term and give an example.
func ParseSLO(text string) (SLO, error) {
	var s SLO
	for part := range strings.SplitSeq(text, ",") {
		term, err := parseTerm(strings.TrimSpace(part))
		if err != nil {
			return SLO{}, fmt.Errorf("SLO %q: term %q: %w; %s", text, strings.TrimSpace(part), err, sloExample)
		}
		for _, other := range s.Terms {
			if other.Metric == term.Metric && other.Unit == term.Unit {
				return SLO{}, fmt.Errorf("SLO %q: term %q: there is one for %s already: %s", text, term, term.Metric, other)
			}
		}
		s.Terms = append(s.Terms, term)
	}
	return s.assume(), nil
}

// assume adds the terms that were not written.
func (s SLO) assume() SLO {
	terms := slices.Clone(s.Terms)
	for _, t := range []Term{
		{Metric: "errors", Op: "<=", Bound: assumedErrors, Unit: "ratio", Assumed: true},
		{Metric: "rate", Op: ">=", Bound: assumedRate, Unit: "ratio", Assumed: true},
	} {
		if !slices.ContainsFunc(s.Terms, func(have Term) bool { return have.Metric == t.Metric && have.Unit == t.Unit }) {
			terms = append(terms, t)
		}
	}
	return SLO{Terms: terms}
}

func parseTerm(s string) (Term, error) {
	at := strings.IndexAny(s, "<>=≤≥")
	if s == "" {
		return Term{}, errors.New("it is empty")
	}
	if at < 0 {
		return Term{}, errors.New("it compares nothing")
	}
	rest := strings.TrimLeft(s[at:], "<>=≤≥")
	t := Term{Metric: strings.TrimSpace(s[:at]), Op: s[at : len(s)-len(rest)]}
	switch t.Op {
	case "≤":
		t.Op = "<="
	case "≥":
		t.Op = ">="
	}
	want := "<"
	if t.Metric == "rate" {
		want = ">"
	}
	_, latency := latencyMetric(t.Metric, unpark.Latency{})
	switch {
	case !latency && t.Metric != "errors" && t.Metric != "rate":
		return Term{}, fmt.Errorf("%q is none of p50, p90, p95, p99, p999, max, mean, errors, rate", t.Metric)
	case t.Op != want && t.Op != want+"=":
		return Term{}, fmt.Errorf("%q: %s is to be %s or %s= something", t.Op, t.Metric, want, want)
	}
	return t, t.parseBound(strings.TrimSpace(rest), latency)
}

func (t *Term) parseBound(s string, latency bool) (err error) {
	percent, isPercent := strings.CutSuffix(s, "%")
	perSecond, isRate := strings.CutSuffix(s, "/s")
	switch {
	case latency:
		d, parseErr := time.ParseDuration(strings.ReplaceAll(s, " ", ""))
		if parseErr != nil || d <= 0 {
			return fmt.Errorf("%q is not a time above 0 such as 50ms or 1.5s", s)
		}
		t.Bound, t.Unit = d.Seconds(), "s"
	case isPercent:
		if t.Bound, err = strconv.ParseFloat(strings.TrimSpace(percent), 64); err != nil || !(t.Bound >= 0 && t.Bound <= 100) {
			return fmt.Errorf("%q is not a percentage from 0%% to 100%%", s)
		}
		t.Bound, t.Unit = t.Bound/100, "ratio"
		if t.Op == "<" && t.Bound == 0 {
			return errors.New("nothing is below 0%; write errors<=0%")
		}
	case isRate && t.Metric == "rate":
		if t.Bound, err = strconv.ParseFloat(strings.TrimSpace(perSecond), 64); err != nil || !(t.Bound > 0) || math.IsInf(t.Bound, 0) {
			return fmt.Errorf("%q is not a rate above 0 such as 500/s", s)
		}
		t.Unit = "req/s"
	case t.Metric == "rate":
		return fmt.Errorf("%q is neither a percentage of the offered rate (99%%) nor a rate (500/s)", s)
	default:
		return fmt.Errorf("%q is not a percentage such as 0.1%%", s)
	}
	return nil
}

// Holds reports whether a load kept every term, and says in words which it did not
// keep. A latency of a load without a single answer was not kept.
func (s SLO) Holds(l unpark.Load) (bool, []string) {
	var out []string
	for _, t := range s.Terms {
		v := t.measure(l)
		if got, known := v.Get(); !known || !t.keeps(got) {
			out = append(out, t.broken(v))
		}
	}
	return len(out) == 0, out
}

func (t Term) keeps(v float64) bool {
	switch t.Op {
	case "<":
		return v < t.Bound
	case "<=":
		return v <= t.Bound
	case ">":
		return v > t.Bound
	}
	return v >= t.Bound
}

func (t Term) measure(l unpark.Load) unpark.Number {
	switch {
	case t.Metric == "errors":
		return l.FailedShare()
	case t.Metric == "rate" && t.Unit == "ratio":
		return unpark.Ratio(l.AchievedRPS, l.OfferedRPS)
	case t.Metric == "rate":
		return unpark.Num(l.AchievedRPS)
	case l.Response.N == 0:
		return unpark.Number{}
	}
	v, _ := latencyMetric(t.Metric, l.Response)
	return unpark.Num(v)
}
