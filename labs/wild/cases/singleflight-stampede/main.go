// A dashboard: its summary is cached for half a second, the rest of a request is a
// question to a backend. When the summary expires, all requests of that moment
// compute it again.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	"wild/service"
)

const ttl = 500 * time.Millisecond

type cache struct {
	mu      sync.RWMutex
	value   uint64
	expires time.Time
	group   singleflight.Group
}

func main() {
	c := &cache{}
	get := c.each
	if service.After() {
		get = c.once
	}
	backend := startBackend()
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: 256, MaxIdleConnsPerHost: 256}}
	mux := http.NewServeMux()
	mux.HandleFunc("/dashboard", func(w http.ResponseWriter, r *http.Request) {
		sum := get()
		res, err := client.Get(backend)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer res.Body.Close()
		name, _ := io.ReadAll(res.Body)
		fmt.Fprintln(w, string(name), sum)
	})
	service.Run(mux)
}

// each computes the summary in each request that finds it expired.
func (c *cache) each() uint64 {
	if v, ok := c.fresh(); ok {
		return v
	}
	return c.store(summary())
}

// once lets one request compute it; the others wait for that one.
func (c *cache) once() uint64 {
	if v, ok := c.fresh(); ok {
		return v
	}
	v, _, _ := c.group.Do("summary", func() (any, error) {
		if v, ok := c.fresh(); ok {
			return v, nil
		}
		return c.store(summary()), nil
	})
	return v.(uint64)
}

func (c *cache) fresh() (uint64, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.value, time.Now().Before(c.expires)
}

func (c *cache) store(v uint64) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value, c.expires = v, time.Now().Add(ttl)
	return v
}

// summary takes about 1.5 ms of a processor.
func summary() uint64 {
	var s uint64 = 1
	for i := uint64(0); i < 1_200_000; i++ {
		s = s*6364136223846793005 + i
	}
	return s
}

// startBackend is the other service; an answer takes it 15 ms.
func startBackend() string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(15 * time.Millisecond)
		io.WriteString(w, "a name")
	}))
	return "http://" + ln.Addr().String()
}
