// Builds of a workshop: what happens to a build is published as it happens, and a client waits for the next thing that
// happens to one, for a while at most.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/moby/pubsub"

	"wild/service"
)

// step is something that happened to a build.
type step struct {
	Build string `json:"build"`
	State string `json:"state"`
	Text  string `json:"text"`
	N     int    `json:"n"`
}

// board has the builds, and what happens to them.
type board struct {
	steps *pubsub.Publisher

	mu   sync.Mutex
	last map[string]step
}

func open() *board {
	return &board{steps: pubsub.NewPublisher(100*time.Millisecond, 8), last: map[string]step{}}
}

var errLate = errors.New("nothing happened yet")

// report publishes a step.
func (b *board) report(s step) step {
	b.mu.Lock()
	s.N = b.last[s.Build].N + 1
	b.last[s.Build] = s
	b.mu.Unlock()
	b.steps.Publish(s)
	return s
}

// next waits for what happens to a build after its n-th step.
func (b *board) next(build string, n int, wait time.Duration) (step, error) {
	news := b.steps.SubscribeTopic(func(v any) bool { return v.(step).Build == build })
	if service.After() {
		defer b.steps.Evict(news)
	}
	b.mu.Lock()
	s, ok := b.last[build]
	b.mu.Unlock()
	if ok && s.N > n {
		return s, nil
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case v := <-news:
		return v.(step), nil
	case <-late.C:
		return step{}, errLate
	}
}

func main() {
	b := open()
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(v); err != nil {
			log.Println(err)
		}
	}
	mux.HandleFunc("POST /builds/{build}/steps", func(w http.ResponseWriter, r *http.Request) {
		var s step
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&s); err != nil || s.State == "" {
			http.Error(w, "a step has a state", http.StatusBadRequest)
			return
		}
		s.Build = r.PathValue("build")
		answer(w, b.report(s))
	})
	mux.HandleFunc("GET /builds/{build}/next", func(w http.ResponseWriter, r *http.Request) {
		s, err := b.next(r.PathValue("build"), 0, 20*time.Millisecond)
		if err != nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer(w, s)
	})
	mux.HandleFunc("GET /builds", func(w http.ResponseWriter, _ *http.Request) {
		b.mu.Lock()
		all := maps.Clone(b.last)
		b.mu.Unlock()
		answer(w, all)
	})
	service.Run(mux)
}
