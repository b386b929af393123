// Parcels that are still on their way. The day begins with the list of all that were sent
// yesterday, from which those are struck off that have arrived since; a board in the hall
// shows how many are open at each depot, and which are the oldest.
package main

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"wild/service"
)

const (
	sent   = 600_000
	depots = 12
)

type parcel struct {
	Number string `json:"number"`
	Depot  int    `json:"depot"`
	Minute int    `json:"minute"`
}

type board struct {
	mu   sync.RWMutex
	open map[string]parcel
}

func main() {
	b := &board{open: make(map[string]parcel)}
	b.begin()
	http.HandleFunc("/board", b.show)
	http.HandleFunc("/arrived", b.arrived)
	service.Run(http.DefaultServeMux)
}

// begin reads what was sent, and then what has arrived.
func (b *board) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range sent {
		n := "P" + strconv.Itoa(10_000_000+i)
		b.open[n] = parcel{n, i % depots, i % 1440}
	}
	for i := range sent {
		if i%2000 != 7 {
			delete(b.open, "P"+strconv.Itoa(10_000_000+i))
		}
	}
	if service.After() {
		left := make(map[string]parcel, len(b.open))
		for n, p := range b.open {
			left[n] = p
		}
		b.open = left
	}
}

func (b *board) arrived(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	delete(b.open, r.FormValue("number"))
	b.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

func (b *board) show(w http.ResponseWriter, r *http.Request) {
	var answer struct {
		Open   [depots]int `json:"open"`
		Oldest []parcel    `json:"oldest"`
	}
	b.mu.RLock()
	all := make([]parcel, 0, len(b.open))
	for _, p := range b.open {
		answer.Open[p.Depot]++
		all = append(all, p)
	}
	b.mu.RUnlock()
	slices.SortFunc(all, func(x, y parcel) int {
		return cmp.Or(cmp.Compare(x.Minute, y.Minute), cmp.Compare(x.Number, y.Number))
	})
	answer.Oldest = all[:min(len(all), 10)]
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(answer)
}
