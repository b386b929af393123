// Seats of a theatre: which are free in a row is answered from memory. What a request brings of its trace is passed on, the
// baggage too, and the gateway in front puts all flags of a customer into that, in a form that baggage does not have.
package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"wild/service"
)

// hall has rows of seats, and whether each is taken.
type hall struct {
	rows [40][]bool
	odd  atomic.Int64
	log  *slog.Logger
}

func open() *hall {
	h := &hall{log: slog.New(slog.NewTextHandler(os.Stderr, nil))}
	for r := range h.rows {
		h.rows[r] = make([]bool, 24+r/2)
		for s := range h.rows[r] {
			h.rows[r][s] = (r*31+s*17)%7 < 3
		}
	}
	otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}))
	otel.SetErrorHandler(otel.ErrorHandlerFunc(h.amiss))
	return h
}

// amiss is told what is wrong with what requests bring, and writes of the first and each thousandth.
func (h *hall) amiss(err error) {
	text := err.Error()
	if h.odd.Add(1)%1000 == 1 {
		h.log.Warn("a request brings odd things", "error", text[:min(len(text), 120)], "bytes", len(text))
	}
}

// traced takes up the trace of a request.
func (h *hall) traced(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx := otel.GetTextMapPropagator().Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		if id := trace.SpanContextFromContext(ctx).TraceID(); id.IsValid() {
			w.Header().Set("X-Trace", id.String())
		}
		next(w, r.WithContext(ctx))
	}
}

// free is where a party may sit together.
func (h *hall) free(row, party int) (from int, ok bool) {
	run := 0
	for s, taken := range h.rows[row] {
		if taken {
			run = 0
			continue
		}
		if run++; run == party {
			return s - party + 1, true
		}
	}
	return 0, false
}

func (h *hall) serve(w http.ResponseWriter, r *http.Request) {
	row, err := strconv.Atoi(r.PathValue("row"))
	if err != nil || row < 0 || row >= len(h.rows) {
		http.Error(w, "there is no such row", http.StatusNotFound)
		return
	}
	party, err := strconv.Atoi(r.FormValue("party"))
	if err != nil || party < 1 {
		party = 1
	}
	from, ok := h.free(row, party)
	member := baggage.FromContext(r.Context()).Member("tier").Value() == "member"
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"row": row, "free": ok, "from": from, "cents": 2400 - 20*row, "member": member})
}

func main() {
	h := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /rows/{row}", h.traced(h.serve))
	service.Run(mux)
}
