// Experiments: a request asks which variant of each running experiment a user is in. The
// draw is random, but the same each time: a generator that starts from user and experiment.
package main

import (
	"encoding/json"
	"hash/fnv"
	"math/rand"
	randv2 "math/rand/v2"
	"net/http"

	"wild/service"
)

type experiment struct {
	name    string
	weights []float64
}

var experiments = []experiment{
	{"checkout-button", []float64{0.5, 0.5}},
	{"search-ranking", []float64{0.8, 0.1, 0.1}},
	{"free-shipping", []float64{0.9, 0.1}},
	{"welcome-text", []float64{0.34, 0.33, 0.33}},
	{"price-badge", []float64{0.5, 0.5}},
	{"gallery", []float64{0.7, 0.3}},
	{"recommendations", []float64{0.25, 0.25, 0.25, 0.25}},
	{"newsletter", []float64{0.95, 0.05}},
	{"reviews-first", []float64{0.5, 0.5}},
	{"dark-theme", []float64{0.6, 0.4}},
}

func main() {
	draw := func(seed uint64) float64 { return rand.New(rand.NewSource(int64(seed))).Float64() }
	if service.After() {
		draw = func(seed uint64) float64 { return randv2.New(randv2.NewPCG(seed, 0)).Float64() }
	}
	http.HandleFunc("GET /users/{user}/variants", func(w http.ResponseWriter, r *http.Request) {
		user := r.PathValue("user")
		variants := make(map[string]int, len(experiments))
		for _, e := range experiments {
			h := fnv.New64a()
			h.Write([]byte(user))
			h.Write([]byte(e.name))
			x, v := draw(h.Sum64()), 0
			for v < len(e.weights)-1 && x >= e.weights[v] {
				x -= e.weights[v]
				v++
			}
			variants[e.name] = v
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(variants)
	})
	service.Run(http.DefaultServeMux)
}
