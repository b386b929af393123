// An interface with a rate limiter for each of its clients, in a map that a janitor
// sweeps for those that are gone. An answer comes from a store that takes 5 ms.
package main

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"wild/service"
)

const (
	clients = 400_000
	shards  = 256
	gone    = time.Minute
	pause   = 200 * time.Millisecond // between two sweeps of all
)

type client struct {
	limiter *rate.Limiter
	seen    atomic.Int64 // nanoseconds
}

// registry is one map with its lock, or a part of many.
type registry struct {
	mu  sync.Mutex
	all map[int64]*client
}

func (r *registry) of(id int64) *client {
	now := time.Now().UnixNano()
	r.mu.Lock()
	defer r.mu.Unlock()
	c, ok := r.all[id]
	if !ok {
		c = &client{limiter: rate.NewLimiter(1000, 1000)}
		r.all[id] = c
	}
	c.seen.Store(now)
	return c
}

// sweep removes clients that were not seen for a minute.
func (r *registry) sweep() {
	r.mu.Lock()
	defer r.mu.Unlock()
	oldest := time.Now().Add(-gone).UnixNano()
	for id, c := range r.all {
		if c.seen.Load() < oldest {
			delete(r.all, id)
		}
	}
}

func main() {
	n := 1
	if service.After() {
		n = shards
	}
	parts := make([]*registry, n)
	for i := range parts {
		parts[i] = &registry{all: make(map[int64]*client)}
	}
	part := func(id int64) *registry { return parts[id%int64(n)] }
	for id := range int64(clients) {
		part(id).of(id)
	}
	go func() {
		for {
			for _, p := range parts {
				p.sweep()
				time.Sleep(pause / time.Duration(n))
			}
		}
	}()

	var seq atomic.Int64
	http.HandleFunc("/quota", func(w http.ResponseWriter, r *http.Request) {
		id := seq.Add(1) * 7919 % clients
		if !part(id).of(id).limiter.Allow() {
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		time.Sleep(5 * time.Millisecond) // the store
		fmt.Fprintln(w, "client", id)
	})
	service.Run(http.DefaultServeMux)
}
