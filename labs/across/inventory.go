package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strconv"
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

func newInventory(o options) http.Handler {
	s := &inventory{cache: &cache{stock: map[string]int{}}, fault: o.fault, store: make(chan struct{}, places)}
	if o.fault == "pool-fixed" {
		s.store = make(chan struct{}, 64)
	}
	if o.grpc {
		return s.overGRPC()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stock/{article}", s.stock)
	return mux
}

func (s *inventory) stock(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, s.answer(r.PathValue("article")))
}

// answer is what is known of an article, by either protocol.
func (s *inventory) answer(article string) string {
	switch s.fault {
	case "lock":
		return strconv.Itoa(s.cache.Get(article))
	case "cpu":
		return price(article)
	case "pool", "pool-fixed":
		return strconv.Itoa(s.ask())
	case "lock-fixed":
		time.Sleep(fetching)
		return strconv.Itoa(s.cache.count(article))
	case "cpu-fixed":
		known, ok := s.prices.Load(article)
		if !ok {
			known, _ = s.prices.LoadOrStore(article, price(article))
		}
		return fmt.Sprint(known)
	default:
		time.Sleep(answering)
		return strconv.Itoa(s.cache.peek(article))
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

// count holds the lock for the count alone.
func (c *cache) count(article string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
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
