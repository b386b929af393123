// Trips by train: a request names two towns, and gets the trips between them with what they cost. Fares hold for a
// second; trips share legs, so that a fare is kept while it does.
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"wild/service"
)

type fares = expirable.LRU[string, int64]

// trip is a way from one town to another.
type trip struct {
	Via   []string `json:"via"`
	Cents int64    `json:"cents"`
	Hours float64  `json:"hours"`
}

// railway knows which towns there are.
type railway struct {
	towns []string
	fares *fares // nil: each request has its own
}

func newFares() *fares { return expirable.NewLRU[string, int64](2048, nil, time.Second) }

func newRailway() *railway {
	r := &railway{towns: []string{"aachen", "berlin", "celle", "dresden", "essen", "fulda", "gera", "hof", "ulm", "trier", "worms", "kiel"}}
	if service.After() {
		r.fares = newFares()
	}
	return r
}

// km is how far two towns are apart.
func km(from, to string) int64 {
	h := fnv.New32a()
	h.Write([]byte(from))
	h.Write([]byte{'-'})
	h.Write([]byte(to))
	return 40 + int64(h.Sum32()%400)
}

// fare is what a leg costs by the tariff: by distance, in steps, with a part that grows less.
func fare(from, to string) int64 {
	cents, step := int64(190), int64(23)
	for d := km(from, to); d > 0; d -= 10 {
		cents += step
		step = max(step-step/20, 9)
	}
	return cents
}

func leg(kept *fares, from, to string) int64 {
	key := from + "-" + to
	if cents, ok := kept.Get(key); ok {
		return cents
	}
	cents := fare(from, to)
	kept.Add(key, cents)
	return cents
}

// trips are those by up to two towns, the cheapest first.
func (r *railway) trips(from, to string) []trip {
	kept := r.fares
	if kept == nil {
		kept = newFares()
	}
	out := []trip{{[]string{}, leg(kept, from, to), float64(km(from, to)) / 90}}
	for _, a := range r.towns {
		if a == from || a == to {
			continue
		}
		first := leg(kept, from, a)
		out = append(out, trip{[]string{a}, first + leg(kept, a, to), float64(km(from, a)+km(a, to)) / 90})
		for _, b := range r.towns {
			if b != from && b != to && b != a {
				out = append(out, trip{[]string{a, b}, first + leg(kept, a, b) + leg(kept, b, to), float64(km(from, a)+km(a, b)+km(b, to)) / 90})
			}
		}
	}
	slices.SortFunc(out, func(a, b trip) int { return int(a.Cents - b.Cents) })
	return out[:5]
}

func main() {
	r := newRailway()
	http.HandleFunc("GET /trips", func(w http.ResponseWriter, req *http.Request) {
		from, to := req.FormValue("from"), req.FormValue("to")
		if !slices.Contains(r.towns, from) || !slices.Contains(r.towns, to) || from == to {
			http.Error(w, fmt.Sprintf("no trips from %q to %q", from, to), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(r.trips(from, to))
	})
	service.Run(http.DefaultServeMux)
}
