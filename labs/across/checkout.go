package main

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// billing is how long checkout takes by itself, and writing how long it keeps its ledger's lock where that is its fault.
const (
	billing = 2 * time.Millisecond
	writing = 2 * time.Millisecond
)

// checkout asks inventory, and bills.
type checkout struct {
	client    *http.Client
	inventory string
	propagate bool
	fault     string
	ledger    sync.Mutex
	sold      int
}

func newCheckout(o options) http.Handler {
	s := &checkout{
		client:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}, Timeout: 10 * time.Second},
		inventory: "http://" + o.inventory, propagate: o.propagate, fault: o.fault,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /buy/{article}", s.buy)
	return mux
}

func (s *checkout) buy(w http.ResponseWriter, r *http.Request) {
	stock, err := s.stock(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if s.fault == "lock" {
		s.enter()
	} else {
		time.Sleep(billing)
	}
	fmt.Fprintf(w, "sold one of %s\n", stock)
}

// stock asks inventory, with the trace of the request where that is handed on.
func (s *checkout) stock(r *http.Request) (string, error) {
	ask, err := http.NewRequestWithContext(r.Context(), http.MethodGet, s.inventory+"/stock/"+r.PathValue("article"), nil)
	if err != nil {
		return "", err
	}
	if trace := r.Header.Get("traceparent"); s.propagate && trace != "" {
		ask.Header.Set("traceparent", trace)
	}
	resp, err := s.client.Do(ask)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

// enter writes to the ledger, one request at a time.
func (s *checkout) enter() {
	s.ledger.Lock()
	defer s.ledger.Unlock()
	time.Sleep(writing)
	s.sold++
}
