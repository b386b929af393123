package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// rateLimited waits on purpose: 200 requests a second and no more.
func rateLimited(context.Context, setup) (http.Handler, error) {
	limiter := rate.NewLimiter(200, 10)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := limiter.Wait(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusTooManyRequests)
			return
		}
		hello(w, r)
	}), nil
}

// oneWorker serialises every request through one goroutine that takes a
// millisecond for each. Fixed, there are 32 of them.
func oneWorker(ctx context.Context, s setup) (http.Handler, error) {
	workers := 1
	if s.fixed {
		workers = 32
	}
	jobs := make(chan chan<- struct{})
	for range workers {
		go work(ctx, jobs)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done := make(chan struct{})
		jobs <- done
		<-done
		hello(w, r)
	}), nil
}

func work(ctx context.Context, jobs <-chan chan<- struct{}) {
	for {
		select {
		case done := <-jobs:
			time.Sleep(time.Millisecond)
			close(done)
		case <-ctx.Done():
			return
		}
	}
}

// readMostly reads under a read lock; every tenth request writes for 2 ms, and
// all readers wait meanwhile. Fixed, a writer takes its 2 ms before it locks.
func readMostly(_ context.Context, s setup) (http.Handler, error) {
	t := &table{values: map[string]int{}}
	write := t.write
	if s.fixed {
		write = t.prepareAndWrite
	}
	var requests atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1)%10 == 0 {
			write("stock")
		}
		fmt.Fprintln(w, t.read("stock"))
	}), nil
}

type table struct {
	mu     sync.RWMutex
	values map[string]int
}

func (t *table) read(key string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.values[key]
}

func (t *table) write(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	time.Sleep(2 * time.Millisecond)
	t.values[key]++
}

// prepareAndWrite holds the lock for the change alone.
func (t *table) prepareAndWrite(key string) {
	time.Sleep(2 * time.Millisecond)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.values[key]++
}

// leak starts a goroutine for each request that waits for an answer which
// nobody sends. Fixed, the request tells it that none will come.
func leak(_ context.Context, s setup) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := make(chan int)
		if s.fixed {
			defer close(answer)
		}
		go forgotten(answer)
		hello(w, r)
	}), nil
}

func forgotten(answer <-chan int) int { return <-answer }
