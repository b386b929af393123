// Readings of electricity meters: a batch is checked, added up by phase, and what each reading
// was and how late it came is observed for the operators, who watch quantiles.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"wild/service"
)

type batch struct {
	Meter    string    `json:"meter"`
	Sent     int64     `json:"sent"`
	Readings []reading `json:"readings"`
}

type reading struct {
	Phase string  `json:"phase"`
	Watts float64 `json:"watts"`
	Late  float64 `json:"late"`
}

// station takes batches.
type station struct {
	watts, late map[string]prometheus.Observer
	batches     prometheus.Counter
	seq         atomic.Int64
}

func newStation(registry *prometheus.Registry) *station {
	s := &station{
		watts: map[string]prometheus.Observer{}, late: map[string]prometheus.Observer{},
		batches: prometheus.NewCounter(prometheus.CounterOpts{Name: "meter_batches_total", Help: "Batches taken."}),
	}
	registry.MustRegister(s.batches)
	watts := observers(registry, "meter_watts", "Power of a reading.", prometheus.ExponentialBuckets(10, 2, 12))
	late := observers(registry, "meter_late_seconds", "How late a reading came.", prometheus.ExponentialBuckets(0.05, 2, 12))
	for _, phase := range []string{"L1", "L2", "L3"} {
		s.watts[phase], s.late[phase] = watts.WithLabelValues(phase), late.WithLabelValues(phase)
	}
	return s
}

func observers(registry *prometheus.Registry, name, help string, buckets []float64) prometheus.ObserverVec {
	if service.After() {
		v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, []string{"phase"})
		registry.MustRegister(v)
		return v
	}
	v := prometheus.NewSummaryVec(prometheus.SummaryOpts{
		Name: name, Help: help, MaxAge: time.Minute,
		Objectives: map[float64]float64{0.5: 0.01, 0.9: 0.005, 0.95: 0.002, 0.99: 0.0005, 0.999: 0.0001},
	}, []string{"phase"})
	registry.MustRegister(v)
	return v
}

// take checks a batch and adds it up.
func (s *station) take(b batch) (map[string]float64, error) {
	sum := map[string]float64{}
	for i, r := range b.Readings {
		if math.IsNaN(r.Watts) || r.Watts < 0 || r.Watts > 1e6 {
			return nil, fmt.Errorf("reading %d: %g W", i, r.Watts)
		}
		watts, ok := s.watts[r.Phase]
		if !ok {
			return nil, fmt.Errorf("reading %d: no phase %q", i, r.Phase)
		}
		sum[r.Phase] += r.Watts
		watts.Observe(r.Watts + float64(s.seq.Add(1)%977))
		s.late[r.Phase].Observe(r.Late)
	}
	s.batches.Inc()
	return sum, nil
}

func main() {
	registry := prometheus.NewRegistry()
	s := newStation(registry)
	http.HandleFunc("POST /readings", func(w http.ResponseWriter, r *http.Request) {
		var b batch
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&b); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		sum, err := s.take(b)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"meter": b.Meter, "watts": sum})
	})
	http.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	service.Run(http.DefaultServeMux)
}
