// Prices of parts: an order's parts are priced by a supplier, a process of its own, that takes all of them in one request, and allows five
// hundred parts a second. A limiter keeps to that.
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
	"strconv"
	"time"

	"go.uber.org/ratelimit"

	"wild/service"
)

const allowed = 500 // parts that may be asked for in a second

// workshop has orders.
type workshop struct {
	orders   [][]string
	quota    ratelimit.Limiter
	client   *http.Client
	supplier string
}

func open(address string) *workshop {
	s := &workshop{
		quota:    ratelimit.New(allowed, ratelimit.WithoutSlack),
		client:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		supplier: "http://" + address,
	}
	if service.After() {
		s.quota = ratelimit.New(allowed, ratelimit.WithSlack(100))
	}
	for o := range 60 {
		var parts []string
		for p := range 7 + o%3 {
			parts = append(parts, fmt.Sprintf("part-%d", o*31+p*7))
		}
		s.orders = append(s.orders, parts)
	}
	return s
}

// prices asks what parts cost.
func (s *workshop) prices(parts []string) (map[string]int, error) {
	body, err := json.Marshal(parts)
	if err != nil {
		return nil, err
	}
	for range parts {
		s.quota.Take()
	}
	resp, err := s.client.Post(s.supplier+"/prices", "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out map[string]int
	return out, json.NewDecoder(resp.Body).Decode(&out)
}

func (s *workshop) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("order"))
	if err != nil || n < 0 || n >= len(s.orders) {
		http.Error(w, "there is no such order", http.StatusNotFound)
		return
	}
	prices, err := s.prices(s.orders[n])
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	sum := 0
	for _, cents := range prices {
		sum += cents
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"order": n, "prices": prices, "cents": sum})
}

func main() {
	if os.Getenv("ROLE") == "supplier" {
		supplier()
		return
	}
	s := open(service.Beside("supplier"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders/{order}/price", s.serve)
	service.Run(mux)
}

// supplier knows prices.
func supplier() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var parts []string
		if err := json.NewDecoder(r.Body).Decode(&parts); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(4 * time.Millisecond)
		out := map[string]int{}
		for _, p := range parts {
			out[p] = 199 + len(p)*50
		}
		json.NewEncoder(w).Encode(out)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
