//go:build linux && (amd64 || arm64)

package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// vitals sends a line a second, as the probe does, of what is known from outside: how many
// goroutines there are, and the CPU.
func (h *Handler) vitals(w http.ResponseWriter, r *http.Request) {
	ttl, err := strconv.Atoi(r.URL.Query().Get("ttl"))
	if err != nil || ttl < 1 {
		fail(w, http.StatusBadRequest, fmt.Sprintf("ttl: %q is no number of seconds from 1", r.URL.Query().Get("ttl")))
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	lines := json.NewEncoder(w)
	over := time.NewTimer(time.Duration(ttl) * time.Second)
	defer over.Stop()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for line := any(map[string]bool{"followed": true}); ; {
		if lines.Encode(line) != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-over.C:
			return
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
		if line, err = h.vital(); err != nil {
			// The answer is cut off, which tells a process that is gone from a ttl that is over.
			panic(http.ErrAbortHandler)
		}
	}
}

func (h *Handler) vital() (any, error) {
	n, err := h.process.Living()
	if err != nil {
		return nil, err
	}
	used, err := proc.Read(h.process.PID)
	if err != nil {
		return nil, err
	}
	return map[string]any{"at": time.Now().UTC().Format(time.RFC3339Nano), "goroutines": n, "cpu_s": used.CPU}, nil
}
