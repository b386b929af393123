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
func rateLimited(context.Context, string) (http.Handler, error) {
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
// millisecond for each.
func oneWorker(ctx context.Context, _ string) (http.Handler, error) {
	jobs := make(chan chan<- struct{})
	go func() {
		for {
			select {
			case done := <-jobs:
				time.Sleep(time.Millisecond)
				close(done)
			case <-ctx.Done():
				return
			}
		}
	}()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done := make(chan struct{})
		jobs <- done
		<-done
		hello(w, r)
	}), nil
}

// readMostly reads under a read lock; every tenth request writes for 2 ms, and
// all readers wait meanwhile.
func readMostly(context.Context, string) (http.Handler, error) {
	t := &table{values: map[string]int{}}
	var requests atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1)%10 == 0 {
			t.write("stock")
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

// leak starts a goroutine for each request that waits for an answer which
// nobody sends.
func leak(context.Context, string) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := make(chan int)
		go forgotten(answer)
		hello(w, r)
	}), nil
}

func forgotten(answer <-chan int) int { return <-answer }
