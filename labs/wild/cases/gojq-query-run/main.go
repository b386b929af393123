// Readings of sensors, from makers that each have a form of their own: a gateway sends what came in since it last did, each is
// brought into one form by the maker's query, in the language of jq, and kept as the sensor's last.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"

	"github.com/itchyny/gojq"

	"wild/service"
)

// the queries of the makers.
var queries = map[string]string{
	"alpha": `{id: .device.serial, celsius: (.values | map(select(.unit == "C") | .value) | add / length), low: (.battery < 20), seen: .time, kind: (.device.type | ascii_downcase)}`,
	"brock": `def celsius: (. - 32) * 5 / 9; {id: .sn, celsius: ([.readings[] | .f | celsius] | add / length), low: any(.flags[]; . == "LOWBAT"), seen: .at, kind: (.model | split("-") | first)}`,
	"cirro": `{id: (.meta | to_entries | map(select(.key == "id")) | first | .value), celsius: ([.samples[] | .[1]] | sort | .[length / 2 | floor]), low: (.meta.volts < 2.7), seen: .meta.ts, kind: (.meta.kind // "unknown")}`,
}

// reading is the one form.
type reading map[string]any

// house keeps what sensors sent last.
type house struct {
	queries map[string]*gojq.Query
	codes   map[string]*gojq.Code

	mu   sync.Mutex
	last map[string]reading
}

func open() (*house, error) {
	h := &house{map[string]*gojq.Query{}, map[string]*gojq.Code{}, sync.Mutex{}, map[string]reading{}}
	for maker, text := range queries {
		q, err := gojq.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", maker, err)
		}
		h.queries[maker] = q
		if h.codes[maker], err = gojq.Compile(q); err != nil {
			return nil, fmt.Errorf("%s: %w", maker, err)
		}
	}
	return h, nil
}

// bring has what a maker's sensor sent in the one form.
func (h *house) bring(maker string, sent any) (reading, error) {
	var all gojq.Iter
	if service.After() {
		all = h.codes[maker].Run(sent)
	} else {
		all = h.queries[maker].Run(sent)
	}
	v, ok := all.Next()
	if !ok {
		return nil, errors.New("nothing came out of it")
	}
	if err, ok := v.(error); ok {
		return nil, err
	}
	out, ok := v.(map[string]any)
	if !ok || out["id"] == nil {
		return nil, fmt.Errorf("%v is no reading", v)
	}
	return out, nil
}

func (h *house) take(w http.ResponseWriter, r *http.Request) {
	maker := r.PathValue("maker")
	if h.queries[maker] == nil {
		http.Error(w, "no such maker", http.StatusNotFound)
		return
	}
	var sent []any
	if err := json.NewDecoder(io.LimitReader(r.Body, 256<<10)).Decode(&sent); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	low, warmest := []string{}, 0.0
	for _, one := range sent {
		out, err := h.bring(maker, one)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		id := fmt.Sprint(maker, "/", out["id"])
		if out["low"] == true {
			low = append(low, id)
		}
		if c, ok := out["celsius"].(float64); ok {
			warmest = max(warmest, c)
		}
		h.mu.Lock()
		h.last[id] = out
		h.mu.Unlock()
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"kept": len(sent), "low": low, "warmest": warmest})
}

func main() {
	h, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /makers/{maker}/readings", h.take)
	service.Run(mux)
}
