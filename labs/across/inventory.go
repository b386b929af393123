package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// What each fault costs a request.
const (
	fetching  = 2 * time.Millisecond // from the store, under the lock
	sums      = 15000                // hashes of a price: one to two milliseconds of CPU
	places    = 4                    // connections to the store
	asking    = 4 * time.Millisecond // over one of them
	answering = time.Millisecond     // that a healthy request takes in any case
)

// inventory tells the stock of an article.
type inventory struct {
	cache  *cache
	fault  string
	store  chan struct{} // a place for each connection
	prices sync.Map
}

func newInventory(fault string) http.Handler {
	s := &inventory{cache: &cache{stock: map[string]int{}}, fault: fault, store: make(chan struct{}, places)}
	if fault == "pool-fixed" {
		s.store = make(chan struct{}, 64)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stock/{article}", s.stock)
	return mux
}

func (s *inventory) stock(w http.ResponseWriter, r *http.Request) {
	article := r.PathValue("article")
	switch s.fault {
	case "lock":
		fmt.Fprintln(w, s.cache.Get(article))
	case "cpu":
		fmt.Fprintln(w, price(article))
	case "pool", "pool-fixed":
		fmt.Fprintln(w, s.ask())
	case "lock-fixed":
		time.Sleep(fetching)
		fmt.Fprintln(w, s.cache.peek(article))
	case "cpu-fixed":
		known, ok := s.prices.Load(article)
		if !ok {
			known, _ = s.prices.LoadOrStore(article, price(article))
		}
		fmt.Fprintln(w, known)
	default:
		time.Sleep(answering)
		fmt.Fprintln(w, s.cache.peek(article))
	}
}

// cache keeps what the store says, and asks it under its lock.
type cache struct {
	mu    sync.Mutex
	stock map[string]int
}

// Get asks the store for what is known already, while all others wait.
func (c *cache) Get(article string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	time.Sleep(fetching)
	c.stock[article]++
	return c.stock[article]
}

func (c *cache) peek(article string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stock[article]
}

// price is computed anew for each request.
func price(article string) string {
	sum := sha256.Sum256([]byte(article))
	for range sums {
		sum = sha256.Sum256(sum[:])
	}
	return fmt.Sprintf("%x", sum[:4])
}

// ask waits for a connection to the store, and for its answer.
func (s *inventory) ask() int {
	s.store <- struct{}{}
	defer func() { <-s.store }()
	time.Sleep(asking)
	return 1
}
