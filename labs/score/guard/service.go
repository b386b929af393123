package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/unpark-go/unpark/labs/score/twin"
	"github.com/unpark-go/unpark/probe"
)

// asked is the variable that has this program be the service.
const asked = "GUARD_SERVICE"

// book is what the service's requests share.
type book struct {
	mu    sync.Mutex
	lines map[int]int
}

// add is what each request does: a moment under the lock.
func (b *book) add(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines[n%100]++
	return b.lines[n%100]
}

// stall keeps the lock across a sleep, as a write to a slow disk would.
func (b *book) stall(d time.Duration) {
	b.mu.Lock()
	time.Sleep(d)
	b.mu.Unlock()
}

// serve answers on the listener that it was started with. /stall?d=300ms is not behind the middleware.
func serve(ctx context.Context) error {
	l, err := twin.Listener()
	if err != nil {
		return err
	}
	probe.Start()
	for range 1000 {
		go func() { <-ctx.Done() }()
	}
	b := &book{lines: map[int]int{}}
	shop := http.NewServeMux()
	shop.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, b.add(len(r.URL.Path))) })
	all := http.NewServeMux()
	var answered atomic.Int64
	timed := probe.Handler(shop)
	all.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answered.Add(1)
		timed.ServeHTTP(w, r)
	})
	all.HandleFunc("/answered", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answered.Load()) })
	all.HandleFunc("/stall", func(w http.ResponseWriter, r *http.Request) {
		d, err := time.ParseDuration(r.URL.Query().Get("d"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		b.stall(d)
	})
	server := http.Server{Handler: all}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	return server.Serve(l)
}
