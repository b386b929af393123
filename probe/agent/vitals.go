package agent

import (
	"encoding/json"
	"net/http"
	"runtime/metrics"
	"time"
)

// The metrics of a line of vitals. None of them stops the process; the collector's CPU
// is brought up to date when a collection ends.
const (
	goroutinesMetric = "/sched/goroutines:goroutines"
	heapMetric       = "/memory/classes/heap/objects:bytes"
	gcMetric         = "/cpu/classes/gc/total:cpu-seconds"
)

// vital is one line of the vitals. What the process does not tell is null.
type vital struct {
	At         string    `json:"at"`
	Goroutines *float64  `json:"goroutines"`
	Heap       *float64  `json:"heap_bytes"`
	GC         *float64  `json:"gc_cpu_s"` // since it started
	CPU        *float64  `json:"cpu_s"`    // since it started
	Requests   *requests `json:"requests"` // null without a middleware
}

// requests are those that ended since the line before. Low and High are the bounds in
// seconds of those buckets that have any, Counts how many each has.
type requests struct {
	InFlight uint64    `json:"in_flight"` // of those that began while they were timed
	Low      []float64 `json:"low_s"`
	High     []float64 `json:"high_s"`
	Counts   []uint64  `json:"counts"`
}

// follower is one connection that the vitals are sent on.
type follower struct {
	timer   *Timer
	ticker  ticker
	last    counts
	samples []metrics.Sample
}

// follow turns the timing of requests on.
func (s *state) follow() *follower {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.zero.IsZero() {
		s.zero = time.Now()
	}
	s.open.Add(timing)
	f := &follower{timer: &s.requests, ticker: ticker{of: &s.requests.sample}, last: s.requests.read()}
	for _, name := range []string{goroutinesMetric, heapMetric, gcMetric} {
		f.samples = append(f.samples, metrics.Sample{Name: name})
	}
	return f
}

// vitals serves /debug/unpark/vitals: the first line says that it is followed, then comes
// one a second.
func (a *Agent) vitals(w http.ResponseWriter, r *http.Request) {
	ttl, err := readTTL(r.URL.Query())
	if err != nil {
		serveError(w, http.StatusBadRequest, err.Error())
		return
	}
	f := process.follow()
	defer process.open.Add(-timing)
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	if _, err := w.Write([]byte("{\"followed\":true}\n")); err != nil {
		return
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return
	}
	hold(r.Context(), w, term{ttl: ttl, line: f.line}, func() {})
	f.ticker.stop()
}

// line is what there is to say now.
func (f *follower) line() []byte {
	metrics.Read(f.samples)
	v := vital{
		At:         time.Now().UTC().Format(time.RFC3339Nano),
		Goroutines: value(f.samples[0].Value), Heap: value(f.samples[1].Value), GC: value(f.samples[2].Value),
	}
	if u, ok := ownUsage(); ok {
		v.CPU = &u.cpu
	}
	if f.timer.used.Load() {
		v.Requests = f.requests()
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil // no such state: the figures are finite
	}
	return b
}

func value(v metrics.Value) *float64 {
	var out float64
	switch v.Kind() {
	case metrics.KindUint64:
		out = float64(v.Uint64())
	case metrics.KindFloat64:
		out = v.Float64()
	default:
		return nil
	}
	return &out
}

// requests takes the difference to the line before.
func (f *follower) requests() *requests {
	now := f.timer.read()
	out := &requests{InFlight: now.started - now.brief, Low: []float64{}, High: []float64{}, Counts: []uint64{}}
	ended := now.ended
	for i, n := range now.ended {
		out.InFlight -= n
		ended[i] -= f.last.ended[i]
	}
	whole(&ended, now.brief-f.last.brief)
	f.ticker.adapt(now.started - f.last.started)
	for i, n := range ended {
		if n > 0 {
			out.Low, out.High, out.Counts = append(out.Low, lowest(i)), append(out.High, lowest(i+1)), append(out.Counts, n)
		}
	}
	f.last = now
	return out
}
