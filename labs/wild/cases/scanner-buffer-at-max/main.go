// Logs of many services: each sends its lines some at a time, of up to a megabyte each; they are checked, counted, and the
// errors among them kept for a while.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"wild/service"
)

// line is what a service logs.
type line struct {
	Time    time.Time      `json:"time"`
	Level   string         `json:"level"`
	Message string         `json:"msg"`
	Fields  map[string]any `json:"fields"`
}

const longest = 1 << 20

// intake takes lines.
type intake struct {
	mu     sync.Mutex
	levels map[string]map[string]int // by service
	errors map[string][]line
}

var levels = map[string]bool{"debug": true, "info": true, "warn": true, "error": true}

// batch is what was in a request.
type batch struct {
	Lines   int `json:"lines"`
	Refused int `json:"refused"`
	counts  map[string]int
	errors  []line
}

// read reads the lines of a request.
func read(r *http.Request) (*batch, error) {
	in := bufio.NewScanner(r.Body)
	if service.After() {
		in.Buffer(nil, longest)
	} else {
		in.Buffer(make([]byte, longest), longest)
	}
	b := &batch{counts: map[string]int{}}
	for in.Scan() {
		if len(in.Bytes()) == 0 {
			continue
		}
		b.Lines++
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil || !levels[l.Level] || l.Time.IsZero() {
			b.Refused++
			continue
		}
		b.counts[l.Level]++
		if l.Level == "error" {
			b.errors = append(b.errors, l)
		}
	}
	return b, in.Err()
}

const kept = 50 // errors of a service

func (t *intake) add(of string, b *batch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.levels[of] == nil {
		t.levels[of] = map[string]int{}
	}
	for level, n := range b.counts {
		t.levels[of][level] += n
	}
	all := append(t.errors[of], b.errors...)
	t.errors[of] = append([]line(nil), all[max(0, len(all)-kept):]...)
}

func (t *intake) receive(w http.ResponseWriter, r *http.Request) {
	b, err := read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	t.add(r.PathValue("service"), b)
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"lines":%d,"refused":%d}`, b.Lines, b.Refused)
}

func (t *intake) recent(w http.ResponseWriter, r *http.Request) {
	t.mu.Lock()
	all := t.errors[r.PathValue("service")]
	t.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(all)
}

func main() {
	t := &intake{levels: map[string]map[string]int{}, errors: map[string][]line{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /logs/{service}", t.receive)
	mux.HandleFunc("GET /errors/{service}", t.recent)
	service.Run(mux)
}
