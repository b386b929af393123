// A currency service with a cache in front of a slow rates provider. The provider is
// a process of its own on this machine and takes 3 ms to answer.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"wild/service"
)

const (
	pairs = 600
	fresh = 250 * time.Millisecond
)

type rate struct {
	text string
	at   time.Time
}

type cache struct {
	client *http.Client
	base   string

	mu     sync.Mutex
	rates  map[string]rate
	flight singleflight.Group
}

// Rate answers from the cache where what it has is fresh, else asks the provider.
func (c *cache) Rate(pair string) (string, error) {
	if service.After() {
		return c.shared(pair)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := c.rates[pair]; ok && time.Since(r.at) < fresh {
		return r.text, nil
	}
	text, err := c.ask(pair)
	if err != nil {
		return "", err
	}
	c.rates[pair] = rate{text, time.Now()}
	return text, nil
}

// shared holds the lock for the map alone and asks once for those that want the same pair.
func (c *cache) shared(pair string) (string, error) {
	c.mu.Lock()
	r, ok := c.rates[pair]
	c.mu.Unlock()
	if ok && time.Since(r.at) < fresh {
		return r.text, nil
	}
	v, err, _ := c.flight.Do(pair, func() (any, error) {
		text, err := c.ask(pair)
		if err != nil {
			return "", err
		}
		c.mu.Lock()
		c.rates[pair] = rate{text, time.Now()}
		c.mu.Unlock()
		return text, nil
	})
	return v.(string), err
}

func (c *cache) ask(pair string) (string, error) {
	resp, err := c.client.Get(c.base + "/rate?pair=" + pair)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func main() {
	if os.Getenv("ROLE") == "provider" {
		provider()
		return
	}
	c := &cache{
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		base:   "http://" + service.Beside("provider"),
		rates:  make(map[string]rate),
	}
	var seq atomic.Int64
	http.HandleFunc("/convert", func(w http.ResponseWriter, r *http.Request) {
		text, err := c.Rate(fmt.Sprintf("P%03d", seq.Add(1)*7%pairs))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, text)
	})
	service.Run(http.DefaultServeMux)
}

func provider() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		fmt.Fprint(w, r.URL.Query().Get("pair"), " 1.0834")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
