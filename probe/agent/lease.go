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
	ID      string   `json:"id"` // to renew it with
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
	id, lent, err := a.renewals.open()
	if err != nil {
		serveError(w, http.StatusInternalServerError, err.Error())
		return
	}
	defer a.renewals.close(id)
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	g := grant{Granted: true, ID: id, Mutex: l.Mutex, Notes: append([]string{}, l.Notes...)}
	if l.Known {
		g.Block = &l.Block
	}
	if err := json.NewEncoder(w).Encode(g); err != nil {
		return
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return
	}
	hold(r.Context(), w, term{ttl: ttl, renewed: lent.renewed}, l.Release)
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
	ttl, err := readTTL(query)
	return Rates{Block: block, Mutex: mutex, Standing: query.Get("standing") == "1"}, ttl, err
}

func readTTL(query url.Values) (time.Duration, error) {
	ttl, err := number(query, "ttl")
	if err != nil {
		return 0, err
	}
	if most := int(longestLease / time.Second); ttl < 1 || ttl > most {
		return 0, fmt.Errorf("invalid value for \"ttl\": %q is no number of seconds from 1 to %d", query.Get("ttl"), most)
	}
	return time.Duration(ttl) * time.Second, nil
}

// term is for how long something is lent.
type term struct {
	ttl     time.Duration
	renewed <-chan time.Duration // from now on it lasts for so long; may be nil
	line    func() []byte        // what a heartbeat says; nil: nothing
}

// hold returns when the client is gone, the agent closes or its term is over, and
// calls release at once then, before it waits for anything.
//
// The heartbeat has a goroutine of its own because a client may hold a lease
// without reading: when its buffer is full the write blocks, and neither ttl nor
// the end of the connection must wait for it.
func hold(ctx context.Context, w http.ResponseWriter, t term, release func()) {
	setDeadline(w, 0)
	over, dead := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(dead)
		beat(w, over, t.line)
	}()
	t.wait(ctx, dead)
	release()
	close(over)
	// Ends a write that blocks, and leaves a client that reads the time to see
	// the proper end of the answer.
	setDeadline(w, heartbeat)
	<-dead
}

// wait returns when the term is over, or what it was for.
func (t term) wait(ctx context.Context, dead <-chan struct{}) {
	timer := time.NewTimer(t.ttl)
	defer timer.Stop()
	for {
		select {
		case ttl := <-t.renewed:
			if !timer.Stop() {
				select { // before Go 1.23 the old term may be in the channel
				case <-timer.C:
				default:
				}
			}
			timer.Reset(ttl)
		case <-ctx.Done():
			return
		case <-timer.C:
			return
		case <-dead:
			return
		}
	}
}

// beat writes a line a second, empty or what line returns, until over is closed or a
// write fails.
func beat(w http.ResponseWriter, over <-chan struct{}, line func() []byte) {
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	control := http.NewResponseController(w)
	for {
		select {
		case <-over:
			return
		case <-ticker.C:
		}
		var text []byte
		if line != nil {
			text = line()
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return
		}
		if err := control.Flush(); err != nil {
			return
		}
	}
}
