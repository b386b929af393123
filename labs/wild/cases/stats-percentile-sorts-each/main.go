// How long deliveries take: drivers post the minutes of each, and a board shows for each district what is usual and
// what is late.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"

	"github.com/montanaflynn/stats"

	"wild/service"
)

const kept = 6000

// district keeps the minutes of its last deliveries.
type district struct {
	mu      sync.Mutex
	minutes [kept]float64
	n       int
}

func (d *district) add(minutes float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.minutes[d.n%kept] = minutes
	d.n++
}

func (d *district) all() []float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.minutes[:min(d.n, kept)])
}

var percents = []float64{10, 25, 50, 75, 90, 95, 99}

// summary is what the board shows.
type summary struct {
	Count       int                `json:"count"`
	Mean        float64            `json:"mean"`
	Deviation   float64            `json:"deviation"`
	Percentiles map[string]float64 `json:"percentiles"`
}

// of is a percentile of values that are in order.
func of(ordered []float64, percent float64) float64 {
	rank := percent / 100 * float64(len(ordered)-1)
	k := int(rank)
	if k+1 >= len(ordered) {
		return ordered[k]
	}
	return ordered[k] + (rank-float64(k))*(ordered[k+1]-ordered[k])
}

func percentiles(minutes []float64) (map[string]float64, error) {
	out := make(map[string]float64, len(percents))
	if service.After() {
		slices.Sort(minutes)
		for _, p := range percents {
			out[fmt.Sprint("p", p)] = of(minutes, p)
		}
		return out, nil
	}
	for _, p := range percents {
		v, err := stats.Percentile(minutes, p)
		if err != nil {
			return nil, fmt.Errorf("p%g: %w", p, err)
		}
		out[fmt.Sprint("p", p)] = v
	}
	return out, nil
}

func summarize(minutes []float64) (s summary, err error) {
	s.Count = len(minutes)
	if s.Mean, err = stats.Mean(minutes); err != nil {
		return s, err
	}
	if s.Deviation, err = stats.StandardDeviation(minutes); err != nil {
		return s, err
	}
	s.Percentiles, err = percentiles(minutes)
	return s, err
}

func main() {
	districts := map[string]*district{}
	for i, name := range []string{"north", "south", "harbour"} {
		d := &district{}
		for range kept {
			d.add(12 + float64(i)*3 + 8*rand.ExpFloat64())
		}
		districts[name] = d
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /districts/{name}", func(w http.ResponseWriter, r *http.Request) {
		d := districts[r.PathValue("name")]
		if d == nil {
			http.NotFound(w, r)
			return
		}
		s, err := summarize(d.all())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(s)
	})
	mux.HandleFunc("POST /districts/{name}", func(w http.ResponseWriter, r *http.Request) {
		d := districts[r.PathValue("name")]
		var in struct {
			Driver  string  `json:"driver"`
			Minutes float64 `json:"minutes"`
		}
		if err := json.NewDecoder(io.LimitReader(r.Body, 4096)).Decode(&in); err != nil || d == nil || in.Driver == "" || in.Minutes <= 0 {
			http.Error(w, "a driver posts the minutes of a delivery in a district", http.StatusBadRequest)
			return
		}
		d.add(in.Minutes)
		w.WriteHeader(http.StatusNoContent)
	})
	service.Run(mux)
}
