// A presence service: a request counts the users of each state. It walks a
// concurrent map by the iterator that hands each entry through channels.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync/atomic"

	cmap "github.com/orcaman/concurrent-map"
	"wild/service"
)

const users = 2000

var states = []string{"online", "away", "busy", "offline"}

func main() {
	m := cmap.New()
	for i := 0; i < users; i++ {
		m.Set("user-"+strconv.Itoa(i), states[i%len(states)])
	}
	count := countIter
	if service.After() {
		count = countCallback
	}
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/presence", func(w http.ResponseWriter, r *http.Request) {
		n := int(seq.Add(1))
		m.Set("user-"+strconv.Itoa(n%users), states[n%len(states)])
		json.NewEncoder(w).Encode(count(m))
	})
	service.Run(mux)
}

func countIter(m cmap.ConcurrentMap) map[string]int {
	n := make(map[string]int, len(states))
	for item := range m.Iter() {
		n[item.Val.(string)]++
	}
	return n
}

func countCallback(m cmap.ConcurrentMap) map[string]int {
	n := make(map[string]int, len(states))
	m.IterCb(func(_ string, v interface{}) { n[v.(string)]++ })
	return n
}
