// An intake of readings of meters: each request brings some twenty, a line each, which are checked,
// kept as the meter's last, and counted. The figures go to Prometheus through go-metrics, in the way of
// Consul and Vault.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/armon/go-metrics"
	sink "github.com/armon/go-metrics/prometheus"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"wild/service"
)

type reading struct {
	meter, kind string
	value       float64
}

var errLine = errors.New("a line is a meter, a kind, and a value")

type intake struct {
	figures *metrics.Metrics
	mu      sync.Mutex
	last    map[string]reading
}

// count tells what came of a reading: its kind is such as district-heating or water.cold.
func (i *intake) count(r reading, size int) (good bool) {
	i.figures.IncrCounter([]string{"intake", r.kind, "readings"}, 1)
	i.figures.IncrCounter([]string{"intake", r.kind, "bytes"}, float32(size))
	if r.value < 0 {
		i.figures.IncrCounter([]string{"intake", r.kind, "refused"}, 1)
		return false
	}
	i.figures.SetGauge([]string{"intake", r.kind, "last-value"}, float32(r.value))
	return true
}

func (i *intake) take(body io.Reader) (kept int, err error) {
	var rs []reading
	for lines := bufio.NewScanner(body); lines.Scan(); {
		meter, rest, _ := strings.Cut(lines.Text(), " ")
		kind, figure, ok := strings.Cut(rest, " ")
		value, err := strconv.ParseFloat(figure, 64)
		if !ok || err != nil {
			return 0, errLine
		}
		r := reading{meter, kind, value}
		if i.count(r, len(lines.Bytes())) {
			rs = append(rs, r)
		}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, r := range rs {
		i.last[r.meter] = r
	}
	return len(rs), nil
}

func main() {
	registry := prometheus.NewRegistry()
	to, err := sink.NewPrometheusSinkFrom(sink.PrometheusOpts{Expiration: time.Hour, Registerer: registry})
	if err != nil {
		log.Fatal(err)
	}
	config := metrics.DefaultConfig("meters")
	config.EnableHostname, config.EnableRuntimeMetrics = false, false
	figures, err := metrics.New(config, to)
	if err != nil {
		log.Fatal(err)
	}
	i := &intake{figures: figures, last: make(map[string]reading)}
	http.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	http.HandleFunc("/readings", func(w http.ResponseWriter, r *http.Request) {
		defer figures.MeasureSince([]string{"intake", "request"}, time.Now())
		kept, err := i.take(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintln(w, kept, "kept")
	})
	service.Run(http.DefaultServeMux)
}
