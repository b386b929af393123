package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

const (
	longestLease = longest // the fraction is lent for a whole run, which may be a soak
	heartbeat    = time.Second
)

// grant is the first line of a lease's answer.
type grant struct {
	Granted bool     `json:"granted"`
	Block   *int     `json:"block_ns"`
	Mutex   int      `json:"mutex_fraction"`
	Notes   []string `json:"notes"`
}

// lease serves /debug/unpark/lease: the rates are lent while the request lasts.
func (a *Agent) lease(w http.ResponseWriter, r *http.Request) {
	rates, ttl, err := readLease(r.URL.Query())
	if err != nil {
		serveError(w, http.StatusBadRequest, err.Error())
		return
	}
	l, err := Acquire(rates)
	if errors.Is(err, ErrLeased) {
		serveError(w, http.StatusConflict, err.Error()+": wait until the other observer is done")
		return
	}
	if err != nil {
		serveError(w, http.StatusInternalServerError, err.Error())
		return
	}
	defer l.Release()
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	g := grant{Granted: true, Mutex: l.Mutex, Notes: append([]string{}, l.Notes...)}
	if l.Known {
		g.Block = &l.Block
	}
	if err := json.NewEncoder(w).Encode(g); err != nil {
		return
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return
	}
	hold(r.Context(), w, ttl, l.Release)
}

func readLease(query url.Values) (Rates, time.Duration, error) {
	block, err := number(query, "block")
	if err != nil {
		return Rates{}, 0, err
	}
	mutex, err := number(query, "mutex")
	if err != nil {
		return Rates{}, 0, err
	}
	ttl, err := number(query, "ttl")
	if err != nil {
		return Rates{}, 0, err
	}
	if most := int(longestLease / time.Second); ttl < 1 || ttl > most {
		return Rates{}, 0, fmt.Errorf("invalid value for \"ttl\": %q is no number of seconds from 1 to %d", query.Get("ttl"), most)
	}
	return Rates{Block: block, Mutex: mutex}, time.Duration(ttl) * time.Second, nil
}

// hold returns when the client is gone, the agent closes or ttl has passed, and
// calls release at once then, before it waits for anything.
//
// The heartbeat has a goroutine of its own because a client may hold a lease
// without reading: when its buffer is full the write blocks, and neither ttl nor
// the end of the connection must wait for it.
func hold(ctx context.Context, w http.ResponseWriter, ttl time.Duration, release func()) {
	setDeadline(w, 0)
	over, dead := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(dead)
		beat(w, over)
	}()
	timer := time.NewTimer(ttl)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-dead:
	}
	release()
	close(over)
	// Ends a write that blocks, and leaves a client that reads the time to see
	// the proper end of the answer.
	setDeadline(w, heartbeat)
	<-dead
}

// beat writes a newline a second until over is closed or a write fails.
func beat(w http.ResponseWriter, over <-chan struct{}) {
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	control := http.NewResponseController(w)
	for {
		select {
		case <-over:
			return
		case <-ticker.C:
		}
		if _, err := w.Write([]byte("\n")); err != nil {
			return
		}
		if err := control.Flush(); err != nil {
			return
		}
	}
}
