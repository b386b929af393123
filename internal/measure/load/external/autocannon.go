package external

import (
	"encoding/json"
	"fmt"

	"github.com/unpark-go/unpark"
)

// autocannonResult is what `autocannon --json` prints (autocannon 8.0, lib/
// aggregateResult.js). Latencies are in milliseconds.
type autocannonResult struct {
	Latency struct {
		Mean unpark.Number `json:"mean"`
		Min  unpark.Number `json:"min"`
		Max  unpark.Number `json:"max"`
		P50  unpark.Number `json:"p50"`
		P90  unpark.Number `json:"p90"`
		P975 unpark.Number `json:"p97_5"`
		P99  unpark.Number `json:"p99"`
		P999 unpark.Number `json:"p99_9"`

		P9999 unpark.Number `json:"p99_99"`
	} `json:"latency"`
	Requests struct {
		Total unpark.Number `json:"total"` // answered
		Sent  unpark.Number `json:"sent"`
	} `json:"requests"`
	Duration   unpark.Number `json:"duration"` // s
	Errors     unpark.Number `json:"errors"`   // timeouts included
	Timeouts   unpark.Number `json:"timeouts"`
	Mismatches unpark.Number `json:"mismatches"`
	Non2xx     unpark.Number `json:"non2xx"`
	Codes      map[string]struct {
		Count json.Number `json:"count"`
	} `json:"statusCodeStats"` // since autocannon 7.0
}

// readAutocannon returns nil for what is no result of autocannon.
func readAutocannon(object []byte) (*Result, error) {
	var keys struct {
		Latency  json.RawMessage `json:"latency"`
		Requests json.RawMessage `json:"requests"`
		Non2xx   json.RawMessage `json:"non2xx"`
		Errors   json.RawMessage `json:"errors"`
	}
	if json.Unmarshal(object, &keys) != nil || keys.Latency == nil || keys.Requests == nil || keys.Non2xx == nil || keys.Errors == nil {
		return nil, nil
	}
	var a autocannonResult
	if err := json.Unmarshal(object, &a); err != nil {
		return nil, fmt.Errorf("autocannon's result: %w", err)
	}
	l, missing, err := a.load()
	if err != nil {
		return nil, fmt.Errorf("autocannon's result: %w", err)
	}
	// p97.5 is at least p95: the nearest upper bound that autocannon has.
	v := a.Latency
	quantiles := latency{unit: 1e-3, min: v.Min, mean: v.Mean, p50: v.P50, p90: v.P90, p95: v.P975, p99: v.P99, p999: v.P999, p9999: v.P9999, max: v.Max, n: l.Requests}
	summary, lacks, err := quantiles.settle("autocannon", "it counts whole milliseconds, and a service that answers within one has latencies of 0 there: take wrk, or unpark's own load")
	if err != nil {
		return nil, err
	}
	l.Response, l.Service = summary, summary
	missing = append(missing, lacks...)
	if summary.N > 0 {
		missing = append(missing, "autocannon counts whole milliseconds", "autocannon prints no p95 (in its place: the p97.5)")
	}
	missing = append(missing, "without a rate (-R) autocannon sends the next request when the one before is answered: what a stall held back is in no quantile (coordinated omission); with one it fills in what it held back, unless -C forbids it")
	return &Result{Tool: "autocannon", Load: l, Missing: missing}, nil
}

func (a autocannonResult) load() (unpark.Load, []string, error) {
	l := newLoad()
	numbers := [5]int64{}
	for i, f := range []unpark.Number{a.Requests.Total, a.Errors, a.Timeouts, a.Mismatches, a.Non2xx} {
		n, err := count(f)
		if err != nil {
			return l, nil, err
		}
		numbers[i] = n
	}
	total, failed, timeouts, mismatches, non2xx := numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
	if timeouts > failed {
		return l, nil, fmt.Errorf("%d timeouts of %d errors", timeouts, failed)
	}
	l.Requests = total
	addError(&l, "timeout", timeouts)
	addError(&l, "failed", failed-timeouts)
	addError(&l, "mismatch", mismatches)
	var missing []string
	for code, c := range a.Codes {
		v, err := c.Count.Float64()
		if err != nil {
			continue // one answer's status; the sums are above
		}
		n, err := count(unpark.Num(v))
		if err != nil {
			return l, nil, fmt.Errorf("status %s: %w", code, err)
		}
		addStatus(&l, code, n)
	}
	if len(a.Codes) == 0 {
		addError(&l, "status", non2xx)
		missing = append(missing, "this autocannon counts no statuses, and redirects as failures")
	}
	l.Seconds = max(0, a.Duration.Or(0))
	l.AchievedRPS = rate(l.Requests, l.Seconds)
	l.OfferedRPS = l.AchievedRPS
	return l, missing, nil
}
