// Reminders: each waits in a goroutine of its own until it is due or is taken back. A profile of all that waits is written each minute,
// since a reminder once came late.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/felixge/fgprof"

	"wild/service"
)

// reminder is what is told, and when.
type reminder struct {
	Text string    `json:"text"`
	Due  time.Time `json:"due"`
	back chan struct{}
}

// reminders wait.
type reminders struct {
	mu   sync.RWMutex
	all  map[int]*reminder
	next int
	told atomic.Int64
}

func open(waiting int) *reminders {
	r := &reminders{all: map[int]*reminder{}}
	for i := range waiting {
		r.add(fmt.Sprintf("water plant %d", i), time.Hour+time.Duration(i)*time.Second)
	}
	return r
}

// add has a reminder wait.
func (r *reminders) add(text string, in time.Duration) int {
	one := &reminder{text, time.Now().Add(in).UTC().Round(time.Second), make(chan struct{})}
	r.mu.Lock()
	id := r.next
	r.next++
	r.all[id] = one
	r.mu.Unlock()
	go r.wait(id, one, in)
	return id
}

func (r *reminders) wait(id int, one *reminder, in time.Duration) {
	due := time.NewTimer(in)
	defer due.Stop()
	select {
	case <-due.C:
		r.told.Add(1)
		r.remove(id)
	case <-one.back:
	}
}

// remove takes a reminder back, if it still waits.
func (r *reminders) remove(id int) *reminder {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := r.all[id]
	delete(r.all, id)
	return one
}

// soon takes a reminder, and takes it back again once it is confirmed: what the form on the page tries first.
func (r *reminders) soon(w http.ResponseWriter, q *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, q.Body, 1<<10))
	if err != nil || len(strings.TrimSpace(string(text))) == 0 {
		http.Error(w, "of what?", http.StatusBadRequest)
		return
	}
	one := r.remove(r.add(strings.TrimSpace(string(text)), time.Hour))
	close(one.back)
	json.NewEncoder(w).Encode(one)
}

func (r *reminders) show(w http.ResponseWriter, q *http.Request) {
	id, err := strconv.Atoi(q.PathValue("id"))
	r.mu.RLock()
	one := r.all[id]
	r.mu.RUnlock()
	if err != nil || one == nil {
		http.Error(w, "there is no such reminder", http.StatusNotFound)
		return
	}
	json.NewEncoder(w).Encode(one)
}

// watched writes a profile of all that waits each minute.
func watched(to string) {
	for {
		var profile bytes.Buffer
		stop := fgprof.Start(&profile, fgprof.FormatPprof)
		if service.After() {
			time.Sleep(200 * time.Millisecond)
		} else {
			time.Sleep(time.Minute)
		}
		if err := stop(); err != nil {
			log.Println(err)
		}
		if err := os.WriteFile(to, profile.Bytes(), 0o600); err != nil {
			log.Println(err)
		}
		if service.After() {
			time.Sleep(time.Minute)
		}
	}
}

func main() {
	r := open(15_000)
	file, err := os.CreateTemp("", "waits")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(file.Name())
	file.Close()
	go watched(file.Name())
	mux := http.NewServeMux()
	mux.HandleFunc("GET /reminders/{id}", r.show)
	mux.HandleFunc("POST /reminders/try", r.soon)
	mux.HandleFunc("GET /told", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, r.told.Load()) })
	service.Run(mux)
}
