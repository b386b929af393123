// A report interface that promises 200 answers a second to all of its clients and
// makes them wait for their turn.
package main

import (
	"encoding/json"
	"net/http"
	"sync/atomic"

	"golang.org/x/time/rate"

	"wild/service"
)

type report struct {
	ID   int64   `json:"id"`
	Sums []int64 `json:"sums"`
}

func main() {
	limiter := rate.NewLimiter(200, 10)
	var seq atomic.Int64
	http.HandleFunc("/report", limited(limiter, func(w http.ResponseWriter, r *http.Request) {
		rep := report{ID: seq.Add(1)}
		for i := range int64(20) {
			rep.Sums = append(rep.Sums, rep.ID*i%1013)
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(rep)
	}))
	service.Run(http.DefaultServeMux)
}

func limited(l *rate.Limiter, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := l.Wait(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusTooManyRequests)
			return
		}
		next(w, r)
	}
}
