package agent

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// renewals knows the leases that are held. The zero value is ready.
type renewals struct {
	mu   sync.Mutex
	held map[string]loan
}

// loan is one lease, for those who renew it.
type loan struct {
	renewed chan time.Duration
	over    chan struct{}
}

// open notes a lease and returns the name that it is renewed by.
func (r *renewals) open() (id string, l loan, err error) {
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		return "", loan{}, fmt.Errorf("name the lease: %w", err)
	}
	id, l = hex.EncodeToString(b), loan{make(chan time.Duration), make(chan struct{})}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held == nil {
		r.held = map[string]loan{}
	}
	r.held[id] = l
	return id, l, nil
}

func (r *renewals) close(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.held[id].over)
	delete(r.held, id)
}

func (r *renewals) find(id string) (loan, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l, ok := r.held[id]
	return l, ok
}

// renew serves /debug/unpark/lease/renew: a lease lasts for ttl from now. Between two
// leases the rates would be the service's own for a moment, and a queue at a lock whose
// head came in it is never charged (Acquire).
func (a *Agent) renew(w http.ResponseWriter, r *http.Request) {
	ttl, err := readTTL(r.URL.Query())
	if err != nil {
		serveError(w, http.StatusBadRequest, err.Error())
		return
	}
	if l, ok := a.renewals.find(r.URL.Query().Get("id")); ok {
		select {
		case l.renewed <- ttl:
			serveJSON(w, map[string]bool{"renewed": true})
			return
		case <-l.over:
		case <-r.Context().Done():
		}
	}
	serveError(w, http.StatusNotFound, "there is no such lease: it is over")
}
