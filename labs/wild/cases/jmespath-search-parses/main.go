// Alarms of a greenhouse company: houses send what their sensors read, and rules, which the gardeners write as JMESPath, say what
// of it needs a look. Readings wait in a queue that a few workers empty; a house that sends too fast has to wait.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync/atomic"

	"github.com/jmespath/go-jmespath"

	"wild/service"
)

const workers = 2

// rule says what needs a look.
type rule struct {
	name     string
	text     string
	compiled *jmespath.JMESPath
	alarms   atomic.Int64
}

// search applies a rule to what a house sent.
func (r *rule) search(house any) (any, error) {
	if service.After() {
		return r.compiled.Search(house)
	}
	return jmespath.Search(r.text, house)
}

// watch has rules, and what is not looked at yet.
type watch struct {
	rules []*rule
	queue chan any
	seen  atomic.Int64
}

// written are the rules of the gardeners, some for each kind of plant.
func written() []string {
	var out []string
	for i, plant := range []string{"tomato", "cress", "orchid", "basil", "fig", "melon"} {
		out = append(out,
			fmt.Sprintf("beds[?plant == '%s' && moisture < `%d` && !watering.active].{bed: name, moisture: moisture, line: watering.line}", plant, 20+i),
			fmt.Sprintf("beds[?plant == '%s' && (air.celsius > `%d` || air.celsius < `%d`)].{bed: name, air: air.celsius} | [0:3]", plant, 30+i, 8+i),
			fmt.Sprintf("beds[?plant == '%s' && light.lux > `%d`] | sort_by(@, &light.lux) | [-1].{bed: name, lux: light.lux, shade: light.shade}", plant, 40000+i*500),
			fmt.Sprintf("{low: beds[?plant == '%s' && ph < `5.%d`].name, high: beds[?plant == '%s' && ph > `7.%d`].name}", plant, i, plant, i),
		)
	}
	return append(out,
		"length(beds[?watering.active && tank.litres < `50`]) > `0` && house",
		"beds[?contains(faults || `[]`, 'sensor')].name | join(', ', @)",
	)
}

func open() (*watch, error) {
	w := &watch{queue: make(chan any, 64)}
	for i, text := range written() {
		compiled, err := jmespath.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		w.rules = append(w.rules, &rule{name: fmt.Sprintf("rule %d", i), text: text, compiled: compiled})
	}
	for range workers {
		go w.look()
	}
	return w, nil
}

// look applies all rules to what comes out of the queue.
func (w *watch) look() {
	for house := range w.queue {
		for _, r := range w.rules {
			found, err := r.search(house)
			if err != nil {
				log.Printf("%s: %v", r.name, err)
				continue
			}
			if some(found) {
				r.alarms.Add(1)
			}
		}
		w.seen.Add(1)
	}
}

// some says that a rule found something.
func some(found any) bool {
	switch f := found.(type) {
	case nil:
		return false
	case bool:
		return f
	case string:
		return f != ""
	case []any:
		return len(f) > 0
	case map[string]any:
		for _, v := range f {
			if some(v) {
				return true
			}
		}
		return false
	}
	return true
}

func (w *watch) take(out http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(out, r.Body, 64<<10))
	if err != nil {
		http.Error(out, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	var house map[string]any
	if err := json.Unmarshal(body, &house); err != nil || house["beds"] == nil {
		http.Error(out, "a house has beds", http.StatusBadRequest)
		return
	}
	select {
	case w.queue <- house:
		out.WriteHeader(http.StatusAccepted)
	case <-r.Context().Done():
		http.Error(out, "the queue is full", http.StatusServiceUnavailable)
	}
}

func (w *watch) alarms(out http.ResponseWriter, _ *http.Request) {
	all := map[string]int64{"seen": w.seen.Load()}
	for _, r := range w.rules {
		all[r.name] = r.alarms.Load()
	}
	out.Header().Set("Content-Type", "application/json")
	json.NewEncoder(out).Encode(all)
}

func main() {
	w, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /readings", w.take)
	mux.HandleFunc("GET /alarms", w.alarms)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
