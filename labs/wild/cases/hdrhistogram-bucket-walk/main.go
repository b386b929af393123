// The page of an operator: how long the calls of each service took over the last day. The
// times are kept in HDR histograms, one an hour and service, and summed up for the page.
package main

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"

	"github.com/HdrHistogram/hdrhistogram-go"

	"wild/service"
)

const (
	services = 16
	hours    = 24
	calls    = 4000
)

type row struct {
	Hour  int                `json:"hour"`
	Count int64              `json:"count"`
	Max   int64              `json:"max"`
	At    map[string]float64 `json:"at"`
}

func main() {
	rnd := rand.New(rand.NewPCG(5, 9))
	book := make(map[string][]*hdrhistogram.Histogram, services)
	for i := range services {
		var day []*hdrhistogram.Histogram
		for range hours {
			// From a microsecond to a minute, with three digits.
			h := hdrhistogram.New(1, 60_000_000, 3)
			for range calls {
				if err := h.RecordValue(1 + int64(math.Exp(rnd.NormFloat64()+9))); err != nil {
					panic(err)
				}
			}
			day = append(day, h)
		}
		book["service-"+strconv.Itoa(i)] = day
	}
	http.HandleFunc("/day", func(w http.ResponseWriter, r *http.Request) {
		day, ok := book[r.URL.Query().Get("service")]
		if !ok {
			http.Error(w, "no such service", http.StatusNotFound)
			return
		}
		rows := make([]row, len(day))
		for i, h := range day {
			rows[i] = row{Hour: i, Count: h.TotalCount(), At: make(map[string]float64)}
			for p, v := range h.ValueAtPercentiles([]float64{50, 75, 90, 95, 99, 99.9, 100}) {
				rows[i].At["p"+strconv.FormatFloat(p, 'f', -1, 64)] = float64(v) / 1000
				rows[i].Max = max(rows[i].Max, v)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(rows)
	})
	service.Run(http.DefaultServeMux)
}
