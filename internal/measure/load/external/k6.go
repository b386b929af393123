package external

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/unpark-go/unpark"
)

// k6Summary is k6's end-of-test summary as JSON, in the three forms that k6 2.2
// knows:
//
//   - what --summary-export writes (oldJSONSummary in internal/js/summary-wrapper.js);
//   - what handleSummary gets as its argument and scripts print with JSON.stringify
//     (summarizeMetricsToObject in internal/js/summary.go);
//   - the machine-readable summary, schema 1.0.0 (internal/lib/summary/machinereadable).
//
// Times are in milliseconds.
type k6Summary struct {
	State struct {
		Duration unpark.Number `json:"testRunDurationMs"`
	} `json:"state"`
	Metrics map[string]k6Metric `json:"metrics"`

	Config struct {
		Duration unpark.Number `json:"duration"` // s
	} `json:"config"`
	Results struct {
		Metrics []struct {
			Name   string   `json:"name"`
			Values k6Values `json:"values"`
		} `json:"metrics"`
	} `json:"results"`
}

// k6Metric has its values beside the thresholds in the oldest form, and in an
// object of their own since.
type k6Metric struct {
	k6Values
	Values *k6Values `json:"values"`
}

// k6Values are those of a metric of any type.
type k6Values struct {
	Avg  unpark.Number `json:"avg"` // trend
	Min  unpark.Number `json:"min"`
	Med  unpark.Number `json:"med"`
	Max  unpark.Number `json:"max"`
	P90  unpark.Number `json:"p(90)"`
	P95  unpark.Number `json:"p(95)"`
	P99  unpark.Number `json:"p(99)"`
	P999 unpark.Number `json:"p(99.9)"`

	P9999 unpark.Number `json:"p(99.99)"`

	Count   unpark.Number `json:"count"` // counter, trend
	Rate    unpark.Number `json:"rate"`  // counter: per second
	Passes  unpark.Number `json:"passes"`
	Matches unpark.Number `json:"matches"` // passes, in the machine-readable form
}

// TrendStats is what unpark asks k6 to put into its summary (the environment
// variable K6_SUMMARY_TREND_STATS); k6's own choice has no p99.
const TrendStats = "avg,min,med,max,p(90),p(95),p(99),p(99.9),p(99.99),count"

// readK6 returns nil for what is no summary of k6.
func readK6(object []byte) (*Result, error) {
	var keys k6Keys
	if json.Unmarshal(object, &keys) != nil || !keys.present() {
		return nil, nil
	}
	var s k6Summary
	if err := json.Unmarshal(object, &s); err != nil {
		return nil, fmt.Errorf("k6's summary: %w", err)
	}
	return s.result()
}

// k6Keys tells k6's summary from other JSON.
type k6Keys struct {
	Root     json.RawMessage `json:"root_group"`
	Metrics  json.RawMessage `json:"metrics"`
	Results  json.RawMessage `json:"results"`
	Metadata struct {
		K6 json.RawMessage `json:"k6Version"`
	} `json:"metadata"`
}

func (k k6Keys) present() bool {
	old := k.Root != nil && bytes.HasPrefix(bytes.TrimSpace(k.Metrics), []byte("{"))
	return old || k.Results != nil && k.Metadata.K6 != nil
}

// metric returns the values of a metric in whichever form they came.
func (s k6Summary) metric(name string) (k6Values, bool) {
	if m, ok := s.Metrics[name]; ok {
		if m.Values != nil {
			return *m.Values, true
		}
		return m.k6Values, true
	}
	for _, m := range s.Results.Metrics {
		if m.Name == name {
			return m.Values, true
		}
	}
	return k6Values{}, false
}

func (s k6Summary) result() (*Result, error) {
	l := newLoad()
	requests, _ := s.metric("http_reqs")
	failed, _ := s.metric("http_req_failed")
	times, ok := s.metric("http_req_duration")
	if grpc, is := s.metric("grpc_req_duration"); !ok && is {
		times, requests = grpc, grpc
	}
	var err error
	if l.Requests, err = count(requests.Count); err != nil {
		return nil, fmt.Errorf("k6's summary: requests: %w", err)
	}
	bad := failed.Passes // http_req_failed passes when the request failed
	if !bad.Known() {
		bad = failed.Matches
	}
	n, err := count(bad)
	if err != nil {
		return nil, fmt.Errorf("k6's summary: failed requests: %w", err)
	}
	addError(&l, "unexpected", n) // by the rule of the script; http_reqs has them, too
	l.Seconds = s.seconds(requests)
	l.AchievedRPS = rate(l.Requests, l.Seconds)
	l.OfferedRPS = l.AchievedRPS
	quantiles := latency{
		unit: 1e-3, min: times.Min, mean: times.Avg, p50: times.Med, p90: times.P90, p95: times.P95,
		p99: times.P99, p999: times.P999, p9999: times.P9999, max: times.Max, n: l.Requests,
	}
	summary, missing, err := quantiles.settle("k6", "leave K6_SUMMARY_TREND_STATS and --new-machine-readable-summary to unpark, which asks for "+TrendStats)
	if err != nil {
		return nil, err
	}
	l.Response, l.Service = summary, summary
	return &Result{Tool: "k6", Load: l, Missing: append(missing, s.missing()...)}, nil
}

// seconds returns the length of the test. The oldest form has none, but a rate.
func (s k6Summary) seconds(requests k6Values) float64 {
	if ms, ok := positive(s.State.Duration).Get(); ok {
		return ms / 1e3
	}
	if v, ok := positive(s.Config.Duration).Get(); ok {
		return v
	}
	return unpark.Ratio(max(0, requests.Count.Or(0)), max(0, requests.Rate.Or(0))).Or(0)
}

func (s k6Summary) missing() []string {
	out := []string{
		"k6 times a request from when it was sent: what it held back while its virtual users waited for answers is in no quantile (coordinated omission); connecting is not in its times either",
		"k6 counts answers and failures together, and no statuses",
	}
	if dropped, _ := s.metric("dropped_iterations"); dropped.Count.Or(0) > 0 {
		out = append(out, fmt.Sprintf("k6 dropped %.0f iterations for want of a free virtual user: the load was below the rate of its script (raise maxVUs)", dropped.Count.Or(0)))
	}
	if _, ok := s.metric("http_reqs"); !ok {
		out = append(out, "k6 printed no count of HTTP requests (http_reqs)")
	}
	return out
}
