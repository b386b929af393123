package requests

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

const (
	maxRate   = 1e7 // req/s, as for other arrivals
	maxSteps  = 1000
	maxStage  = 24 * time.Hour
	stepsHint = "write steps:100,200,400/30s (rates per second, each for 30 s)"
	spikeHint = "write spike:100..2000/10s@60s (100/s, after 60 s 2000/s for 10 s, then 100/s again)"
)

// ParseStages reads arrivals that jump from rate to rate:
//
//	steps:100,200,400/30s     each rate for 30 s
//	spike:100..2000/10s@60s   100/s for 60 s, 2000/s for 10 s, then 100/s for 60 s
//
// After a spike the base rate holds for as long as before it (as long as the
// spike, when that begins at once): whether the service recovers is what a spike
// is to show. Rates are per second; every stage has From equal to To. Errors
// name the part and give an example.
func ParseStages(text string) ([]unpark.Stage, error) {
	shape, rest, _ := strings.Cut(strings.TrimSpace(text), ":")
	var stages []unpark.Stage
	var err error
	hint := stepsHint + ", or " + strings.TrimPrefix(spikeHint, "write ")
	switch shape {
	case "steps":
		hint = stepsHint
		stages, err = parseSteps(rest)
	case "spike":
		hint = spikeHint
		stages, err = parseSpike(rest)
	default:
		err = fmt.Errorf("%q is no shape of arrivals", short(shape))
	}
	if err != nil {
		return nil, fmt.Errorf("arrivals %q: %w; %s", short(text), err, hint)
	}
	return stages, nil
}

func parseSteps(s string) ([]unpark.Stage, error) {
	rates, length, found := strings.Cut(s, "/")
	if !found {
		return nil, errors.New("how long each step lasts is missing")
	}
	d, err := parseLength("the length of a step", length)
	if err != nil {
		return nil, err
	}
	if n := strings.Count(rates, ",") + 1; n > maxSteps {
		return nil, fmt.Errorf("%d steps are more than %d", n, maxSteps)
	}
	var out []unpark.Stage
	peak := 0.0
	for part := range strings.SplitSeq(rates, ",") {
		rate, err := parseRate("the rate", part)
		if err != nil {
			return nil, err
		}
		peak = max(peak, rate)
		out = append(out, hold(rate, d))
	}
	if peak == 0 {
		return nil, errors.New("no step is above rate 0")
	}
	return out, nil
}

func parseSpike(s string) ([]unpark.Stage, error) {
	rates, times, timed := strings.Cut(s, "/")
	low, high, ranged := strings.Cut(rates, "..")
	length, when, placed := strings.Cut(times, "@")
	switch {
	case !ranged:
		return nil, fmt.Errorf("%q is no BASE..PEAK", short(rates))
	case !timed || !placed:
		return nil, errors.New("how long the spike lasts, or when it begins, is missing")
	}
	base, err := parseRate("the base rate", low)
	if err != nil {
		return nil, err
	}
	peak, err := parseRate("the peak", high)
	if err != nil {
		return nil, err
	}
	if peak <= base {
		return nil, fmt.Errorf("the peak %g is not above the base rate %g", peak, base)
	}
	lasts, err := parseLength("the length of the spike", length)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(when) == "0" || strings.TrimSpace(when) == "0s" {
		return []unpark.Stage{hold(peak, lasts), hold(base, lasts)}, nil
	}
	before, err := parseLength("when the spike begins", when)
	if err != nil {
		return nil, err
	}
	return []unpark.Stage{hold(base, before), hold(peak, lasts), hold(base, before)}, nil
}

func hold(rate float64, d time.Duration) unpark.Stage {
	return unpark.Stage{From: rate, To: rate, Duration: d.Seconds()}
}

func parseRate(what, s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(v) {
		return 0, fmt.Errorf("%s %q is no number", what, short(s))
	}
	if v < 0 || v > maxRate {
		return 0, fmt.Errorf("%s %g is not from 0 to %g per second", what, v, float64(maxRate))
	}
	return v, nil
}

func parseLength(what, s string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(s))
	if err != nil {
		return 0, fmt.Errorf("%s %q is no duration such as 30s or 2m", what, short(s))
	}
	if d <= 0 || d > maxStage {
		return 0, fmt.Errorf("%s %v is not above 0 and up to a day", what, d)
	}
	return d, nil
}
