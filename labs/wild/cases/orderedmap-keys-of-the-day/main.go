// Parcels of a depot, in the order that they came in: they are scanned when they come, scanned out when they leave, and the belt asks which
// have waited longest.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/elliotchance/orderedmap"

	"wild/service"
)

const parcels = 40000

// parcel is what is known of one.
type parcel struct {
	ID    string    `json:"id"`
	To    string    `json:"to"`
	Grams int       `json:"grams"`
	Since time.Time `json:"since"`
}

// depot has parcels by their number, oldest first.
type depot struct {
	mu      sync.Mutex
	waiting *orderedmap.OrderedMap
}

func open() *depot {
	d := &depot{waiting: orderedmap.NewOrderedMap()}
	for i := range parcels {
		d.put(i)
	}
	return d
}

func (d *depot) put(i int) {
	id := fmt.Sprintf("P%07d", i)
	d.waiting.Set(id, &parcel{ID: id, To: fmt.Sprintf("district %d", i*37%90), Grams: 200 + i*131%9000, Since: time.Now()})
}

// longest are the n that came first.
func (d *depot) longest(n int) []*parcel {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]*parcel, 0, n)
	if service.After() {
		for el := d.waiting.Front(); el != nil && len(out) < n; el = el.Next() {
			out = append(out, el.Value.(*parcel))
		}
		return out
	}
	for _, id := range d.waiting.Keys() {
		if len(out) == n {
			break
		}
		p, _ := d.waiting.Get(id)
		out = append(out, p.(*parcel))
	}
	return out
}

func (d *depot) serveLongest(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil || n < 1 || n > 100 {
		http.Error(w, "how many?", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(d.longest(n))
}

// serveScan takes a parcel out, or in where it is not there.
func (d *depot) serveScan(w http.ResponseWriter, r *http.Request) {
	i, err := strconv.Atoi(r.PathValue("parcel"))
	if err != nil || i < 0 {
		http.Error(w, "that is no number of a parcel", http.StatusBadRequest)
		return
	}
	d.mu.Lock()
	out := d.waiting.Delete(fmt.Sprintf("P%07d", i))
	if !out {
		d.put(i)
	}
	n := d.waiting.Len()
	d.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"out": out, "waiting": n})
}

func main() {
	d := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /belt/next", d.serveLongest)
	mux.HandleFunc("POST /parcels/{parcel}/scan", d.serveScan)
	service.Run(mux)
}
