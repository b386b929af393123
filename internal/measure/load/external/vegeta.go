package external

import (
	"encoding/json"
	"fmt"

	"github.com/unpark-go/unpark"
)

// vegetaReport is what `vegeta report -type=json` prints (vegeta v12, the struct
// Metrics of lib/metrics.go). Times are in nanoseconds.
type vegetaReport struct {
	Latencies *struct {
		Mean unpark.Number `json:"mean"`
		P50  unpark.Number `json:"50th"`
		P90  unpark.Number `json:"90th"`
		P95  unpark.Number `json:"95th"`
		P99  unpark.Number `json:"99th"`
		Max  unpark.Number `json:"max"`
		Min  unpark.Number `json:"min"`
	} `json:"latencies"`
	BytesIn struct {
		Mean unpark.Number `json:"mean"`
	} `json:"bytes_in"`
	Duration unpark.Number            `json:"duration"` // from the first request sent to the last
	Wait     unpark.Number            `json:"wait"`     // from there to the last answer
	Requests unpark.Number            `json:"requests"` // sent, answered or not
	Rate     unpark.Number            `json:"rate"`     // sent per second
	Codes    map[string]unpark.Number `json:"status_codes"`
	Errors   []string                 `json:"errors"` // each text once
}

// readVegeta returns nil for what is no report of vegeta.
func readVegeta(object []byte) (*Result, error) {
	var v vegetaReport
	var keys struct {
		Latencies json.RawMessage `json:"latencies"`
		Codes     json.RawMessage `json:"status_codes"`
		Wait      json.RawMessage `json:"wait"`
	}
	if json.Unmarshal(object, &keys) != nil || keys.Latencies == nil || keys.Codes == nil || keys.Wait == nil {
		return nil, nil
	}
	if err := json.Unmarshal(object, &v); err != nil || v.Latencies == nil {
		return nil, fmt.Errorf("vegeta's report: %w", orNone(err))
	}
	l, sent, err := v.load()
	if err != nil {
		return nil, fmt.Errorf("vegeta's report: %w", err)
	}
	a := v.Latencies
	quantiles := latency{unit: 1e-9, min: a.Min, mean: a.Mean, p50: a.P50, p90: a.P90, p95: a.P95, p99: a.P99, max: a.Max, n: sent}
	summary, missing, err := quantiles.settle("vegeta", "print it with `vegeta report -type=json`")
	if err != nil {
		return nil, err
	}
	l.Response, l.Service = summary, summary
	missing = append(missing,
		"vegeta times a request from when it was sent: one that waited because all workers were busy was sent late, and that wait is in no quantile (coordinated omission)",
		"vegeta's quantiles count requests that failed as well")
	return &Result{Tool: "vegeta", Load: l, Missing: missing}, nil
}

// load also returns how many requests were sent.
func (v vegetaReport) load() (unpark.Load, int64, error) {
	l := newLoad()
	sent, err := count(v.Requests)
	if err != nil {
		return l, 0, fmt.Errorf("requests: %w", err)
	}
	var unanswered int64
	for code, number := range v.Codes {
		n, err := count(number)
		if err != nil {
			return l, 0, fmt.Errorf("status %s: %w", code, err)
		}
		if code == "0" { // no answer: lib/attack.go leaves Result.Code at zero
			unanswered = n
			continue
		}
		addStatus(&l, code, n)
	}
	if unanswered > sent {
		return l, 0, fmt.Errorf("%d requests without an answer of %d", unanswered, sent)
	}
	addError(&l, "failed", unanswered)
	if l.Errors > 0 && len(v.Errors) > 0 {
		l.ErrorSample = v.Errors[0]
	}
	l.Requests = sent - unanswered
	l.Seconds = (max(0, v.Duration.Or(0)) + max(0, v.Wait.Or(0))) * 1e-9
	l.AchievedRPS = rate(l.Requests, l.Seconds)
	l.OfferedRPS = max(0, v.Rate.Or(0))
	if l.Requests > 0 {
		l.BytesPerResponse = v.BytesIn.Mean
	}
	return l, sent, nil
}
