// Exports for partners, of which the contract allows 250 a second: those that come
// sooner are held back by go.uber.org/ratelimit until it is their turn.
package main

import (
	"encoding/json"
	"net/http"
	"sync/atomic"

	"go.uber.org/ratelimit"

	"wild/service"
)

type export struct {
	Number int64    `json:"number"`
	Lines  []string `json:"lines"`
}

func main() {
	var seq atomic.Int64
	http.HandleFunc("/export", paced(ratelimit.New(250), func(w http.ResponseWriter, r *http.Request) {
		e := export{Number: seq.Add(1), Lines: []string{"first", "second", "third"}}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(e)
	}))
	service.Run(http.DefaultServeMux)
}

func paced(l ratelimit.Limiter, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		l.Take()
		next(w, r)
	}
}
