package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/unpark-go/unpark/labs/broker/store"
	"github.com/unpark-go/unpark/labs/broker/task"
)

// HeaderLeader names the node to ask, in answers with status 421.
const HeaderLeader = "Broker-Leader"

// maxBody bounds a request's body, in bytes.
const maxBody = 1 << 20

// The bodies of requests and answers.
type (
	// CreateRequest is the body of POST /v1/tasks; the answer is Created.
	CreateRequest struct {
		Key     string `json:"key,omitempty"`
		Payload []byte `json:"payload"`
	}
	// Created has status 201, or 200 when the key was used before.
	Created struct {
		ID string `json:"id"`
	}
	// ClaimRequest is the body of POST /v1/claims; the answer is a Delivery, or has
	// status 204 when no task waits.
	ClaimRequest struct {
		Worker  string `json:"worker"`
		LeaseMS int64  `json:"lease_ms"`
	}
	// CompleteRequest is the body of POST /v1/tasks/{id}/complete; the answer has
	// status 204, or 409 when the lease is lost.
	CompleteRequest struct {
		Attempt uint64 `json:"attempt"`
	}
	// Shards is the answer of GET /v1/shards: the URL of each shard's leader, empty
	// where it is not known.
	Shards struct {
		Leaders []string `json:"leaders"`
	}
	// Failure is the body of every answer with an error.
	Failure struct {
		Error string `json:"error"`
	}
)

// OfKey is the shard of an idempotency key.
func (s Shards) OfKey(key string) int { return shardOf(key, len(s.Leaders)) }

// OfID is the shard of a task.
func (s Shards) OfID(id string) (int, error) {
	shard, _, err := parseID(id)
	if err == nil && shard >= len(s.Leaders) {
		err = fmt.Errorf("task %s: %w", id, task.ErrUnknown)
	}
	return shard, err
}

// Handler serves the broker over HTTP. Self is this node's URL; read gives the
// totals since the start.
func Handler(s *Service, self string, read func() store.Stats) http.Handler {
	h := &handler{service: s, self: self, read: read, started: time.Now()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/tasks", h.create)
	mux.HandleFunc("POST /v1/claims", h.claim)
	mux.HandleFunc("POST /v1/tasks/{id}/complete", h.complete)
	// A whole life of a task in one request, for generators that send one URL over
	// and over.
	mux.HandleFunc("GET /v1/cycle", h.cycle)
	mux.HandleFunc("POST /v1/cycle", h.cycle)
	mux.HandleFunc("GET /v1/shards", h.leaders)
	mux.HandleFunc("GET /stats", h.stats)
	return mux
}

type handler struct {
	service *Service
	self    string
	read    func() store.Stats
	started time.Time
}

func (h *handler) create(w http.ResponseWriter, r *http.Request) {
	var in CreateRequest
	if !decode(w, r, &in) {
		return
	}
	id, again, err := h.service.Create(r.Context(), in.Key, in.Payload)
	if err != nil {
		fail(w, err)
		return
	}
	status := http.StatusCreated
	if again {
		status = http.StatusOK
	}
	reply(w, status, Created{ID: id})
}

func (h *handler) claim(w http.ResponseWriter, r *http.Request) {
	var in ClaimRequest
	if !decode(w, r, &in) {
		return
	}
	d, ok, err := h.service.Claim(r.Context(), in.Worker, time.Duration(in.LeaseMS)*time.Millisecond)
	switch {
	case err != nil:
		fail(w, err)
	case !ok:
		w.WriteHeader(http.StatusNoContent)
	default:
		reply(w, http.StatusOK, d)
	}
}

func (h *handler) complete(w http.ResponseWriter, r *http.Request) {
	var in CompleteRequest
	if !decode(w, r, &in) {
		return
	}
	if err := h.service.Complete(r.Context(), r.PathValue("id"), in.Attempt); err != nil {
		fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (h *handler) cycle(w http.ResponseWriter, r *http.Request) {
	if err := h.service.Cycle(r.Context(), []byte(r.URL.Query().Get("payload"))); err != nil {
		fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (h *handler) leaders(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, h.service.Shards(h.self))
}

func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(into)
	if err != nil {
		fail(w, fmt.Errorf("%w: decode the body: %w", ErrBadRequest, err))
	}
	return err == nil
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails when the client is gone
}

func fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	elsewhere, ok := errors.AsType[*store.Elsewhere](err)
	switch {
	case ok && elsewhere.Leader != "":
		w.Header().Set(HeaderLeader, elsewhere.Leader)
		status = http.StatusMisdirectedRequest
	case ok, errors.Is(err, store.ErrClosed), errors.Is(err, context.DeadlineExceeded):
		w.Header().Set("Retry-After", "1")
		status = http.StatusServiceUnavailable
	case errors.Is(err, ErrBadRequest):
		status = http.StatusBadRequest
	case errors.Is(err, task.ErrUnknown):
		status = http.StatusNotFound
	case errors.Is(err, task.ErrLeaseLost):
		status = http.StatusConflict
	}
	reply(w, status, Failure{Error: err.Error()})
}
