// What of an article is in stock, asked for at the warehouse, which takes 5 ms. Each answer
// is counted for the bill of the customer who asked, and what was counted goes to the accounts
// department a few times a second, which takes 60 ms to book it. Both are in a process of their own.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"wild/service"
)

// meter counts what each customer asked for.
type meter struct {
	client *http.Client
	url    string
	now    rate.Sometimes

	mu    sync.Mutex
	count map[string]int
}

func (m *meter) add(customer string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count[customer]++
}

// book sends what was counted since it was last called.
func (m *meter) book() {
	m.mu.Lock()
	count := m.count
	m.count = make(map[string]int, len(count))
	m.mu.Unlock()
	b, err := json.Marshal(count)
	if err != nil {
		log.Print(err)
		return
	}
	resp, err := m.client.Post(m.url+"/usage", "application/json", bytes.NewReader(b))
	if err != nil {
		log.Print(err)
		return
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}

func main() {
	if os.Getenv("ROLE") == "partner" {
		partner()
		return
	}
	m := &meter{
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}},
		url:    "http://" + service.Beside("partner"),
		now:    rate.Sometimes{Interval: 200 * time.Millisecond},
		count:  make(map[string]int),
	}
	book := m.book
	if service.After() {
		book = func() { go m.book() }
	}
	http.HandleFunc("/stock", func(w http.ResponseWriter, r *http.Request) {
		resp, err := m.client.Get(m.url + "/stock?sku=" + r.URL.Query().Get("sku"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		m.add(r.Header.Get("X-Customer"))
		m.now.Do(book)
		w.Header().Set("Content-Type", "application/json")
		io.Copy(w, resp.Body)
	})
	service.Run(http.DefaultServeMux)
}

func partner() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/stock", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		fmt.Fprintf(w, `{"sku":%q,"count":12}`, r.URL.Query().Get("sku"))
	})
	mux.HandleFunc("/usage", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(60 * time.Millisecond)
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
