// Sessions of a shop: what is in a basket is kept for half an hour, and a session that ends makes room within two
// seconds. There are some fifty thousand.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	cache "github.com/Code-Hex/go-generics-cache"

	"wild/service"
)

const (
	kept     = 30 * time.Minute
	sessions = 50_000
)

// session is what is known of a customer.
type session struct {
	Customer int      `json:"customer"`
	Name     string   `json:"name"`
	Basket   []string `json:"basket"`
	Cents    int      `json:"cents"`
}

// shop has sessions.
type shop struct {
	all *cache.Cache[string, session]
}

func open() *shop {
	s := &shop{cache.New(cache.WithJanitorInterval[string, session](2 * time.Second))}
	for i := range sessions {
		s.all.Set("s"+strconv.Itoa(i), session{Customer: i, Name: "Customer " + strconv.Itoa(i)}, cache.WithExpiration(kept))
	}
	return s
}

// add lays an article into a basket.
func (s *shop) add(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("session")
	was, ok := s.all.Get(id)
	if !ok {
		http.Error(w, "please log in", http.StatusUnauthorized)
		return
	}
	article := r.FormValue("article")
	if len(was.Basket) < 20 {
		was.Basket = append(was.Basket[:len(was.Basket):len(was.Basket)], article)
		was.Cents += 100 + len(article)*35
	}
	s.all.Set(id, was, cache.WithExpiration(kept))
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(was)
}

func (s *shop) show(w http.ResponseWriter, r *http.Request) {
	was, ok := s.all.Get(r.PathValue("session"))
	if !ok {
		http.Error(w, "please log in", http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(was)
}

func main() {
	s := open()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sessions/{session}/basket", s.add)
	mux.HandleFunc("GET /sessions/{session}", s.show)
	mux.HandleFunc("GET /kept", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, kept) })
	service.Run(mux)
}
