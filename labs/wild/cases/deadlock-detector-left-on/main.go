// Stock of a warehouse in memory: an order takes its articles from the shelves, each of which
// has a lock, and is written down. The locks are those of go-deadlock, from the time when an
// order of locking was wrong.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/sasha-s/go-deadlock"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/h2c"

	"wild/service"
)

const shelves = 512

type line struct {
	Shelf int `json:"shelf"`
	Count int `json:"count"`
}

type shelf struct {
	mu    deadlock.RWMutex
	count int
	price int
}

type warehouse struct {
	shelves [shelves]shelf
	mu      deadlock.Mutex
	orders  map[int]int // of each, what it came to
	next    int
}

// quote is what an order would cost as things stand.
func (wh *warehouse) quote(lines []line) (sum int) {
	for _, l := range lines {
		s := &wh.shelves[l.Shelf]
		s.mu.RLock()
		if s.count >= l.Count {
			sum += s.price * l.Count
		}
		s.mu.RUnlock()
	}
	return sum
}

func (wh *warehouse) take(lines []line) (sum int) {
	for _, l := range lines {
		s := &wh.shelves[l.Shelf]
		s.mu.Lock()
		if s.count < l.Count {
			s.count += 1000 // from the reserve
		}
		s.count -= l.Count
		sum += s.price * l.Count
		s.mu.Unlock()
	}
	return sum
}

func (wh *warehouse) order(w http.ResponseWriter, r *http.Request) {
	var lines []line
	if err := json.NewDecoder(r.Body).Decode(&lines); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if slices.ContainsFunc(lines, func(l line) bool { return l.Shelf < 0 || l.Shelf >= shelves || l.Count < 1 }) {
		http.Error(w, "no such shelf", http.StatusBadRequest)
		return
	}
	quoted := wh.quote(lines)
	sum := wh.take(lines)
	wh.mu.Lock()
	wh.next = (wh.next + 1) % 100_000
	n := wh.next
	wh.orders[n] = sum
	wh.mu.Unlock()
	fmt.Fprintf(w, "order %d: %d, quoted %d\n", n, sum, quoted)
}

func main() {
	deadlock.Opts.DeadlockTimeout = time.Minute
	if service.After() {
		deadlock.Opts.Disable = true
	}
	wh := &warehouse{orders: make(map[int]int)}
	for i := range wh.shelves {
		wh.shelves[i].count, wh.shelves[i].price = 1000, 100+i
	}
	http.HandleFunc("/order", wh.order)
	service.Run(h2c.NewHandler(http.DefaultServeMux, &http2.Server{}))
}
