// Baskets of a shop: each visitor has one for half an hour, in memory, and it is looked at with each page and added to now and then.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/erni27/imcache"

	"wild/service"
)

const (
	visitors = 300_000
	half     = 30 * time.Minute
	cleaned  = 250 * time.Millisecond
)

// basket is what a visitor chose.
type basket struct {
	Things []string `json:"things"`
	Cents  int      `json:"cents"`
}

// baskets are kept by visitor.
type baskets interface {
	Get(visitor string) (basket, bool)
	Set(visitor string, b basket, until imcache.Expiration)
	Len() int
}

func open() baskets {
	var all baskets = imcache.New(imcache.WithCleanerOption[string, basket](cleaned))
	if service.After() {
		all = imcache.NewSharded(256, imcache.DefaultStringHasher64{}, imcache.WithCleanerOption[string, basket](cleaned))
	}
	for i := range visitors {
		all.Set("v"+strconv.Itoa(i), basket{Things: []string{"lamp"}, Cents: 1990}, imcache.WithExpiration(half))
	}
	return all
}

// shop has baskets.
type shop struct{ all baskets }

func (s *shop) show(w http.ResponseWriter, r *http.Request) {
	b, ok := s.all.Get(r.PathValue("visitor"))
	if !ok {
		b.Things = []string{}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(b)
}

func (s *shop) add(w http.ResponseWriter, r *http.Request) {
	cents, err := strconv.Atoi(r.URL.Query().Get("cents"))
	if err != nil || cents < 0 {
		http.Error(w, "what does it cost?", http.StatusBadRequest)
		return
	}
	visitor := r.PathValue("visitor")
	b, _ := s.all.Get(visitor)
	things := append([]string{r.URL.Query().Get("thing")}, b.Things...)
	b = basket{Things: things[:min(len(things), 8)], Cents: b.Cents + cents}
	s.all.Set(visitor, b, imcache.WithExpiration(half))
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(b)
}

func main() {
	s := &shop{open()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /visitors/{visitor}/basket", s.show)
	mux.HandleFunc("POST /visitors/{visitor}/basket", s.add)
	service.Run(mux)
}
