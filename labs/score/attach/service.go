package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/unpark-go/unpark/labs/score/twin"
)

// asked is the variable that has this program be the service: how many goroutines are parked in it.
const asked = "ATTACH_PARKED"

func parkedIn(goroutines int) string { return asked + "=" + strconv.Itoa(goroutines) }

// serve answers requests that compute a little in workers behind a channel and count under a lock, so that there is blocking
// and contention to record, on the listener that it was started with, beside goroutines that are parked.
func serve(ctx context.Context, parked string) error {
	n, err := strconv.Atoi(parked)
	if err != nil {
		return err
	}
	l, err := twin.Listener()
	if err != nil {
		return err
	}
	for range n {
		go func() { <-ctx.Done() }()
	}
	s := &service{jobs: make(chan *job), asked: map[string]int{}, words: strings.Fields(strings.Repeat("a service that is read from outside ", 40))}
	for range workers {
		go s.work()
	}
	http.Handle("/", s)
	return http.Serve(l, nil)
}

// workers is how many goroutines compute answers.
const workers = 4

type service struct {
	words []string
	jobs  chan *job

	mu    sync.Mutex
	asked map[string]int // requests, by path
}

// job is a request on its way through a worker. They are used again: a service with a million stacks does not
// collect garbage in every other window, which would be all that is seen.
type job struct {
	words  []string
	answer bytes.Buffer
	done   chan struct{}
}

var free = sync.Pool{New: func() any { return &job{done: make(chan struct{})} }}

func (s *service) work() {
	for j := range s.jobs {
		j.words = append(j.words[:0], s.words...)
		slices.Sort(j.words)
		j.answer.Reset()
		_ = json.NewEncoder(&j.answer).Encode(j.words) // strings can be encoded
		j.done <- struct{}{}
	}
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.URL.Path]++
	s.mu.Unlock()
	j := free.Get().(*job)
	s.jobs <- j
	<-j.done
	w.Header().Set("Content-Length", strconv.Itoa(j.answer.Len()))
	_, _ = w.Write(j.answer.Bytes()) // a client that has gone is no concern
	free.Put(j)
}
