// Flags of users, from an engine that one goroutine owns: others send it what they want to
// know. The goroutine is locked to its thread, as it had to be when the engine was a
// library in C with thread-local state; now it is Go.
package main

import (
	"encoding/json"
	"hash/fnv"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"

	"wild/service"
)

type question struct {
	user   int64
	flag   string
	answer chan bool
}

type engine struct {
	asked  chan question
	shares map[string]uint32 // percent of users
}

// own answers until the program ends.
func (e *engine) own() {
	if !service.After() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	for q := range e.asked {
		h := fnv.New32a()
		h.Write([]byte(q.flag))
		h.Write(strconv.AppendInt(nil, q.user, 10))
		q.answer <- h.Sum32()%100 < e.shares[q.flag]
	}
}

func (e *engine) enabled(user int64, flag string) bool {
	q := question{user: user, flag: flag, answer: make(chan bool, 1)}
	e.asked <- q
	return <-q.answer
}

func main() {
	flags := []string{"new-checkout", "dark-mode", "fast-search", "beta-api", "reviews", "wallet", "gifts", "chat"}
	e := &engine{asked: make(chan question), shares: make(map[string]uint32)}
	for i, f := range flags {
		e.shares[f] = uint32(10 + i*10)
	}
	go e.own()

	var seq atomic.Int64
	http.HandleFunc("/flags", func(w http.ResponseWriter, r *http.Request) {
		user := seq.Add(1)
		on := make(map[string]bool, len(flags))
		for _, f := range flags {
			on[f] = e.enabled(user, f)
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(on)
	})
	service.Run(http.DefaultServeMux)
}
