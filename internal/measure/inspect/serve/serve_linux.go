//go:build linux && (amd64 || arm64)

package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect"
	"github.com/unpark-go/unpark/internal/measure/proc"
)

// Schema is that of the probe's info page.
const Schema = "unpark.probe/v1"

// Handler serves one process.
type Handler struct {
	process *inspect.Process
	options Options

	leases sync.WaitGroup

	mu      sync.Mutex
	granted []*inspect.Lease // since it serves
	failed  error            // of what could not be put back
}

// Wait returns when no lease is left, and says what could not be put back.
func (h *Handler) Wait() error {
	h.leases.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failed
}

// release puts back what a lease lent.
func (h *Handler) release(l *inspect.Lease) {
	err := l.Release()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failed = errors.Join(h.failed, err)
}

// Options say what may be written into a process.
type Options struct {
	ReadOnly   bool  // nothing: what it does not record is off
	MemoryRate int64 // with a lease one in so many allocated bytes is recorded, where none are; 0 leaves that
}

// New serves a process.
func New(p *inspect.Process, o Options) *Handler { return &Handler{process: p, options: o} }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch page := r.URL.Path; {
	case page == "/debug/unpark/info":
		h.info(w)
	case page == "/debug/unpark/vitals":
		h.vitals(w, r)
	case page == "/debug/unpark/lease":
		h.lease(w, r)
	case page == "/debug/unpark/record":
		h.record(w, r)
	case page == "/debug/unpark/writes":
		h.writes(w)
	case page == "/debug/unpark/reader":
		reader(w)
	case page == "/debug/pprof/profile":
		h.cpu(w, r)
	case strings.HasPrefix(page, "/debug/pprof/"):
		h.profile(w, strings.TrimPrefix(page, "/debug/pprof/"), r.URL.Query().Get("debug"))
	default:
		fail(w, http.StatusNotFound, "not served for a process that is read from outside")
	}
}

func fail(w http.ResponseWriter, status int, text string) { http.Error(w, text, status) }

// info is what the probe says of its process.
func (h *Handler) info(w http.ResponseWriter) {
	p := h.process
	rates, err := p.Rates()
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	about := p.About()
	page := map[string]any{
		"schema": Schema, "pid": p.PID, "ppid": about.Parent, "go": about.Go, "gomaxprocs": about.GOMAXPROCS, "num_cpu": about.CPUs,
		"module": about.Module, "path": about.Path, "own": about.Own,
		"mutex_fraction": rates.Mutex, "block_rate": p.Nanoseconds(rates.Block), "boot_id": about.Boot, "start_ticks": about.Born,
		"attached": true, "vitals": true, "read_only": h.options.ReadOnly,
	}
	if living, err := p.Living(); err == nil {
		page["living"] = living
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(page)
}

// profile answers with what the process has counted since it began, or with what is there now.
func (h *Handler) profile(w http.ResponseWriter, name, debug string) {
	read := func() ([]byte, error) { return h.process.Profile(unpark.Kind(name)) }
	if unpark.Kind(name) == unpark.KindGoroutine && debug == "2" {
		read = h.process.Stacks
	}
	b, err := read()
	switch {
	case errors.Is(err, inspect.ErrKind):
		fail(w, http.StatusNotFound, err.Error())
		return
	case err != nil:
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = w.Write(b)
}

// cpu samples for as long as is asked for.
func (h *Handler) cpu(w http.ResponseWriter, r *http.Request) {
	seconds, err := strconv.Atoi(r.URL.Query().Get("seconds"))
	if err != nil || seconds < 1 {
		fail(w, http.StatusBadRequest, fmt.Sprintf("seconds: %q is no whole number from 1", r.URL.Query().Get("seconds")))
		return
	}
	b, err := h.process.CPU(r.Context(), time.Duration(seconds)*time.Second, inspect.Sampling{})
	if err != nil {
		status := http.StatusInternalServerError
		if errors.Is(err, inspect.ErrKind) {
			status = http.StatusNotFound
		}
		fail(w, status, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = w.Write(b)
}

// lease lends rates for as long as the request lasts.
func (h *Handler) lease(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	block, err1 := strconv.ParseInt(q.Get("block"), 10, 64)
	mutex, err2 := strconv.ParseInt(q.Get("mutex"), 10, 64)
	ttl, err3 := strconv.Atoi(q.Get("ttl"))
	if err := errors.Join(err1, err2, err3); err != nil || ttl < 1 {
		fail(w, http.StatusBadRequest, fmt.Sprintf("block, mutex and ttl are numbers: %v", err))
		return
	}
	rates := inspect.Rates{Block: block, Mutex: mutex, Memory: h.options.MemoryRate}
	if h.options.ReadOnly {
		rates = inspect.Rates{}
	}
	h.leases.Add(1)
	defer h.leases.Done()
	l, err := h.process.Lend(rates)
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	defer h.release(l)
	h.mu.Lock()
	h.granted = append(h.granted, l)
	number := len(h.granted)
	h.mu.Unlock()
	h.grant(w, l, number)
	ctx, cancel := context.WithTimeout(r.Context(), time.Duration(ttl)*time.Second)
	defer cancel()
	l.Keep(ctx)
}

// record begins a window of a lease: its rates go back as soon as there is enough for a window of that length.
func (h *Handler) record(w http.ResponseWriter, r *http.Request) {
	number, err1 := strconv.Atoi(r.URL.Query().Get("lease"))
	window, err2 := time.ParseDuration(r.URL.Query().Get("window"))
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := errors.Join(err1, err2); err != nil || number < 1 || number > len(h.granted) || window <= 0 {
		fail(w, http.StatusBadRequest, fmt.Sprintf("lease is the number that a lease was granted with, window a duration: %v", err))
		return
	}
	h.granted[number-1].Record(inspect.RecordingOf(window))
}

// writes says what was written into the process since it is served.
func (h *Handler) writes(w http.ResponseWriter) {
	h.mu.Lock()
	all := []unpark.Write{}
	for _, l := range h.granted {
		all = append(all, l.Writes()...)
	}
	h.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(all)
}

// reader says what this process, which reads others, has used of the CPU.
func reader(w http.ResponseWriter) {
	used, err := proc.Read(os.Getpid())
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"pid": os.Getpid(), "cpu_s": used.CPU})
}

// grant says what was lent.
func (h *Handler) grant(w http.ResponseWriter, l *inspect.Lease, number int) {
	notes := []string{}
	rates, err := h.process.Rates()
	if err != nil {
		notes = append(notes, err.Error())
	}
	page := map[string]any{"granted": true, "lease": number, "block_ns": h.process.Nanoseconds(rates.Block), "mutex_fraction": rates.Mutex, "memory_rate": h.process.MemoryRate(), "notes": notes, "writes": l.Writes()}
	w.Header().Set("Content-Type", "application/x-ndjson")
	if json.NewEncoder(w).Encode(page) == nil {
		_ = http.NewResponseController(w).Flush()
	}
}
