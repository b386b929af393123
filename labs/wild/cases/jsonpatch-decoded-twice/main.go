// Twins of machines: what is known of a machine is a document, and what is told of it comes as a patch to that document.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"wild/service"
)

// twin is what is known of a machine.
type twin struct {
	mu       sync.Mutex
	document []byte
	changes  int
}

// hall has machines.
type hall struct{ twins []*twin }

func open() (*hall, error) {
	h := &hall{}
	for i := range 64 {
		parts := map[string]any{}
		for p := range 24 {
			sensors := map[string]any{}
			for _, name := range []string{"temperature", "vibration", "current", "pressure", "speed"} {
				sensors[name] = map[string]any{"value": float64(p*7+len(name)) / 2, "unit": name[:2], "since": "2026-11-01T08:00:00Z"}
			}
			parts["part-"+strconv.Itoa(p)] = map[string]any{"maker": "Maker & sons", "hours": i*100 + p, "sensors": sensors}
		}
		document, err := json.Marshal(map[string]any{"machine": i, "hall": "north", "state": "running", "parts": parts})
		if err != nil {
			return nil, err
		}
		h.twins = append(h.twins, &twin{document: document})
	}
	return h, nil
}

// merge changes what a merge patch says.
func (t *twin) merge(patch []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	next, err := jsonpatch.MergePatch(t.document, patch)
	if err != nil {
		return 0, err
	}
	t.document = next
	t.changes++
	return t.changes, nil
}

func (h *hall) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("machine"))
	if err != nil || n < 0 || n >= len(h.twins) {
		http.NotFound(w, r)
		return
	}
	patch, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	changes, err := h.twins[n].merge(patch)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	fmt.Fprintf(w, `{"machine":%d,"changes":%d}`, n, changes)
}

func main() {
	h, err := open()
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("PATCH /machines/{machine}", h.serve)
	service.Run(mux)
}
