package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

const (
	// maxSnapshot bounds what a flight recorder may keep and a snapshot may hold,
	// which is in the service's memory.
	maxSnapshot = 64 << 20
	unsetBytes  = 8 << 20
	longestAge  = time.Minute
)

// flightRecorder is runtime/trace.FlightRecorder, which is there since Go 1.25.
type flightRecorder interface {
	Start() error
	Stop()
	WriteTo(io.Writer) (int64, error)
}

// flight is a flight recorder for as long as it is armed. It has a lock of its
// own, because FlightRecorder's methods may not be called at the same time
// (runtime/trace.FlightRecorder.Stop resets what WriteTo reads).
type flight struct {
	age   time.Duration
	bytes int
	state *state

	mu  sync.Mutex
	now flightRecorder // nil when it is over
}

var (
	errArmed   = errors.New("a flight recorder is armed already")
	errUnarmed = errors.New("no flight recorder is armed")
	errTooOld  = errors.New("this process was built with a Go older than 1.25, which has no flight recorder")
)

// arm starts the process's one flight recorder. It keeps at least age of the
// execution trace's newest part, within about bytes.
func (s *state) arm(age time.Duration, bytes int) (*flight, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flight != nil {
		return nil, errArmed
	}
	f := &flight{age: age, bytes: bytes, state: s, now: newRecorder(age, bytes)}
	if f.now == nil {
		return nil, errTooOld
	}
	if err := f.now.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", errArmed, err) // by the service itself
	}
	s.flight = f
	s.open.Add(1)
	return f, nil
}

// disarm stops recording. Only the first call does anything.
func (f *flight) disarm() {
	f.state.mu.Lock()
	defer f.state.mu.Unlock()
	if f.state.flight != f {
		return
	}
	f.state.flight = nil
	f.state.open.Add(-1)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now != nil {
		f.now.Stop()
		f.now = nil
	}
}

// snapshot returns what is recorded, a complete execution trace, and begins anew:
// no event is in two snapshots.
func (f *flight) snapshot() ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now == nil {
		return nil, errUnarmed
	}
	out := bounded{limit: maxSnapshot}
	_, err := f.now.WriteTo(&out)
	f.now.Stop()
	// A recorder of its own each time: one that was stopped may keep what came
	// while it stopped (runtime/trace.FlightRecorder.Stop).
	f.now = newRecorder(f.age, f.bytes)
	if again := f.now.Start(); again != nil {
		f.now = nil // another is armed by now; later snapshots say so
	}
	if err != nil {
		return nil, fmt.Errorf("snapshot of the flight recorder: %w", err)
	}
	return out.Bytes(), nil
}

// bounded is a buffer that refuses to grow beyond its limit.
type bounded struct {
	bytes.Buffer
	limit int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.limit {
		return 0, fmt.Errorf("it is larger than %d MB: arm it with fewer bytes", b.limit>>20)
	}
	return b.Buffer.Write(p)
}

// flightLease serves /debug/unpark/flight: a flight recorder is armed while the
// request lasts.
func (a *Agent) flightLease(w http.ResponseWriter, r *http.Request) {
	age, size, ttl, err := readFlight(r.URL.Query())
	if err != nil {
		serveError(w, http.StatusBadRequest, err.Error())
		return
	}
	f, err := process.arm(age, size)
	if err != nil {
		serveError(w, flightStatus(err), err.Error())
		return
	}
	defer f.disarm()
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	first := map[string]interface{}{"armed": true, "age_s": age.Seconds(), "bytes": size}
	if err := json.NewEncoder(w).Encode(first); err != nil {
		return
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return
	}
	hold(r.Context(), w, term{ttl: ttl}, f.disarm)
}

// flightSnapshot serves /debug/unpark/flight/snapshot. The answer is made before
// it is sent, so that a client that reads slowly holds nothing up.
func (a *Agent) flightSnapshot(w http.ResponseWriter, _ *http.Request) {
	process.mu.Lock()
	f := process.flight
	process.mu.Unlock()
	err := errUnarmed
	var body []byte
	if f != nil {
		body, err = f.snapshot()
	}
	if err != nil {
		serveError(w, flightStatus(err), err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="trace"`)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

func flightStatus(err error) int {
	switch {
	case errors.Is(err, errTooOld):
		return http.StatusNotImplemented
	case errors.Is(err, errArmed), errors.Is(err, errUnarmed):
		return http.StatusConflict
	}
	return http.StatusInternalServerError
}

func readFlight(query url.Values) (age time.Duration, size int, ttl time.Duration, err error) {
	seconds := func(name string, most time.Duration) time.Duration {
		n, failed := number(query, name)
		if failed == nil && (n < 1 || n > int(most/time.Second)) {
			failed = fmt.Errorf("invalid value for %q: %q is no number of seconds from 1 to %.0f", name, query.Get(name), most.Seconds())
		}
		if err == nil {
			err = failed
		}
		return time.Duration(n) * time.Second
	}
	age, ttl = seconds("age", longestAge), seconds("ttl", longestLease)
	size, failed := number(query, "bytes")
	if size == 0 {
		size = unsetBytes
	}
	if failed == nil && size > maxSnapshot {
		failed = fmt.Errorf("invalid value for \"bytes\": %q is more than %d", query.Get("bytes"), maxSnapshot)
	}
	if err == nil {
		err = failed
	}
	return age, size, ttl, err
}
