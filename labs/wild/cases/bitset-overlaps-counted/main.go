// Audiences of a newspaper's letters: the readers of each are a set of subscribers, and an editor that plans a new letter
// asks how many readers it would share with each of the others.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/bits-and-blooms/bitset"

	"wild/service"
)

const subscribers, letters = 500_000, 64

// letter is a letter and its readers.
type letter struct {
	name    string
	readers *bitset.BitSet
}

// overlap is what two letters share.
type overlap struct {
	Letter  string  `json:"letter"`
	Readers uint    `json:"readers"`
	Part    float64 `json:"part"`
}

// house has all letters. Readers come and go while it runs.
type house struct {
	mu      sync.RWMutex
	letters []letter
}

var errLetter = errors.New("no such letter")

func open() *house {
	h := &house{}
	topics := []string{"economy", "football", "theatre", "garden", "climate", "books", "kitchen", "district"}
	for i := range letters {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		b := bitset.New(subscribers)
		for n := rng.UintN(40); n < subscribers; n += 1 + rng.UintN(uint(8+i)) {
			b.Set(n)
		}
		h.letters = append(h.letters, letter{fmt.Sprintf("%s-%d", topics[i%len(topics)], i/len(topics)+1), b})
	}
	return h
}

// shared is how many read both.
func shared(a, b *bitset.BitSet) uint {
	if service.After() {
		return a.IntersectionCardinality(b)
	}
	return a.Intersection(b).Count()
}

// overlaps are those of a letter with the others, the largest first.
func (h *house) overlaps(name string, count int) ([]overlap, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	i := slices.IndexFunc(h.letters, func(l letter) bool { return l.name == name })
	if i < 0 {
		return nil, errLetter
	}
	of := h.letters[i].readers
	all := of.Count()
	out := make([]overlap, 0, len(h.letters))
	for j, l := range h.letters {
		if j == i {
			continue
		}
		n := shared(of, l.readers)
		out = append(out, overlap{l.name, n, float64(n) / float64(max(all, 1))})
	}
	slices.SortFunc(out, func(a, b overlap) int { return cmp.Compare(b.Readers, a.Readers) })
	return out[:min(count, len(out))], nil
}

func (h *house) serve(w http.ResponseWriter, r *http.Request) {
	out, err := h.overlaps(r.PathValue("letter"), 10)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

// subscribe adds a reader to a letter.
func (h *house) subscribe(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.ParseUint(r.PathValue("reader"), 10, 32)
	if err != nil || n >= subscribers {
		http.Error(w, "no such reader", http.StatusNotFound)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.letters {
		if l.name == r.PathValue("letter") {
			l.readers.Set(uint(n))
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	http.Error(w, errLetter.Error(), http.StatusNotFound)
}

func main() {
	h := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /letters/{letter}/overlaps", h.serve)
	mux.HandleFunc("PUT /letters/{letter}/readers/{reader}", h.subscribe)
	service.Run(mux)
}
