// A gateway: its table of routes is under an RWMutex, some requests register a route, and four times
// a second the table is sent to the control plane. That takes 40 ms, and a backend answers
// in 4 ms; both are in one process beside.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"wild/service"
)

const routes = 200

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}

type table struct {
	mu  sync.RWMutex
	all map[string]string
}

func (t *table) lookup(name string) string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.all[name]
}

func (t *table) register(name, backend string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all[name] = backend
}

// publish sends the table while readers go on: it only takes the read lock.
func (t *table) publish(url string) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	send(url, t.all)
}

// publishCopy sends a copy.
func (t *table) publishCopy(url string) {
	t.mu.RLock()
	all := maps.Clone(t.all)
	t.mu.RUnlock()
	send(url, all)
}

func send(url string, all map[string]string) {
	body, err := json.Marshal(all)
	if err != nil {
		log.Fatal(err)
	}
	resp, err := client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}

func main() {
	if os.Getenv("ROLE") == "peers" {
		peers()
		return
	}
	base := "http://" + service.Beside("peers")
	t := &table{all: make(map[string]string)}
	name := func(n int64) string { return "route" + strconv.FormatInt(n%routes, 10) }
	for n := range int64(routes) {
		t.register(name(n), base+"/backend")
	}
	publish := t.publish
	if service.After() {
		publish = t.publishCopy
	}
	go func() {
		for range time.Tick(250 * time.Millisecond) {
			publish(base + "/control")
		}
	}()

	var seq atomic.Int64
	http.HandleFunc("/api", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		resp, err := client.Get(t.lookup(name(n * 37)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		io.Copy(w, resp.Body)
	})
	http.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		n := name(seq.Add(1) * 41)
		t.register(n, base+"/backend")
		fmt.Fprintln(w, n)
	})
	service.Run(http.DefaultServeMux)
}

func peers() {
	mux := http.NewServeMux()
	mux.HandleFunc("/backend", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		io.WriteString(w, "answer\n")
	})
	mux.HandleFunc("/control", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(40 * time.Millisecond)
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
