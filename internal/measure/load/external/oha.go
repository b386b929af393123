package external

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
)

// ohaResult is what `oha --output-format json` prints, `oha -j` before 1.9 (oha
// 1.15, print_json in src/printer.rs; the fields used are there since 0.5.4). Times
// are in seconds; null is what oha prints when nothing was answered.
type ohaResult struct {
	Summary struct {
		Total   unpark.Number `json:"total"`
		Slowest unpark.Number `json:"slowest"`
		Fastest unpark.Number `json:"fastest"`
		Average unpark.Number `json:"average"`
		Size    unpark.Number `json:"sizePerRequest"`
	} `json:"summary"`
	Percentiles struct {
		P50  unpark.Number `json:"p50"`
		P90  unpark.Number `json:"p90"`
		P95  unpark.Number `json:"p95"`
		P99  unpark.Number `json:"p99"`
		P999 unpark.Number `json:"p99.9"`

		P9999 unpark.Number `json:"p99.99"`
	} `json:"latencyPercentiles"`
	Codes  map[string]unpark.Number `json:"statusCodeDistribution"`
	Errors map[string]unpark.Number `json:"errorDistribution"`
}

// ohaDeadline is the text of ClientError::Deadline (src/client.rs): a request that
// was under way when the run ended.
const ohaDeadline = "aborted due to deadline"

// readOha returns nil for what is no result of oha.
func readOha(object []byte) (*Result, error) {
	var keys struct {
		Summary     json.RawMessage `json:"summary"`
		Percentiles json.RawMessage `json:"latencyPercentiles"`
		Codes       json.RawMessage `json:"statusCodeDistribution"`
	}
	if json.Unmarshal(object, &keys) != nil || keys.Summary == nil || keys.Percentiles == nil || keys.Codes == nil {
		return nil, nil
	}
	var o ohaResult
	if err := json.Unmarshal(object, &o); err != nil {
		return nil, fmt.Errorf("oha's result: %w", err)
	}
	l, err := o.load()
	if err != nil {
		return nil, fmt.Errorf("oha's result: %w", err)
	}
	p, s := o.Percentiles, o.Summary
	quantiles := latency{unit: 1, min: s.Fastest, mean: s.Average, p50: p.P50, p90: p.P90, p95: p.P95, p99: p.P99, p999: p.P999, p9999: p.P9999, max: s.Slowest, n: l.Requests}
	summary, missing, err := quantiles.settle("oha", "let it print its percentiles")
	if err != nil {
		return nil, err
	}
	l.Response, l.Service = summary, summary
	missing = append(missing, "oha sends the next request when the one before is answered: what a stall held back is in no quantile (coordinated omission), unless it was given a rate and --latency-correction")
	return &Result{Tool: "oha", Load: l, Missing: missing}, nil
}

func (o ohaResult) load() (unpark.Load, error) {
	l := newLoad()
	for code, number := range o.Codes {
		n, err := count(number)
		if err != nil {
			return l, fmt.Errorf("status %s: %w", code, err)
		}
		addStatus(&l, code, n)
		l.Requests = min(l.Requests+n, exact)
	}
	for text, number := range o.Errors {
		n, err := count(number)
		if err != nil {
			return l, fmt.Errorf("error %q: %w", text, err)
		}
		if text == ohaDeadline {
			l.Unfinished = n
			continue
		}
		addError(&l, "failed", n)
		if l.ErrorSample == "" || strings.HasPrefix(l.ErrorSample, "status ") || text < l.ErrorSample {
			l.ErrorSample = text
		}
	}
	l.Seconds = max(0, o.Summary.Total.Or(0))
	l.AchievedRPS = rate(l.Requests, l.Seconds)
	l.OfferedRPS = l.AchievedRPS
	if l.Requests > 0 {
		l.BytesPerResponse = o.Summary.Size
	}
	return l, nil
}
