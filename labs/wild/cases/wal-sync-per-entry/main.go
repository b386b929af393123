// Orders of a kitchen: an order is a list of events, which are appended to a log before it is answered, so that none
// is lost when the kitchen's computer is switched off. What is in the log is counted by dish.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/tidwall/wal"

	"wild/service"
)

type item struct {
	Dish  string `json:"dish"`
	N     int    `json:"n"`
	Notes string `json:"notes,omitempty"`
}

type order struct {
	Table int    `json:"table"`
	Items []item `json:"items"`
}

// event is an entry of the log.
type event struct {
	Kind  string `json:"kind"`
	Table int    `json:"table"`
	At    int64  `json:"at"`
	Item  *item  `json:"item,omitempty"`
}

// journal numbers entries one after the other, so that one order at a time is written.
type journal struct {
	mu     sync.Mutex
	log    *wal.Log
	last   uint64
	dishes map[string]int
}

func (j *journal) write(entries [][]byte) error {
	if service.After() {
		batch := new(wal.Batch)
		for i, b := range entries {
			batch.Write(j.last+uint64(i)+1, b)
		}
		if err := j.log.WriteBatch(batch); err != nil {
			return err
		}
		j.last += uint64(len(entries))
		return nil
	}
	for _, b := range entries {
		if err := j.log.Write(j.last+1, b); err != nil {
			return err
		}
		j.last++
	}
	return nil
}

// append writes an order, and returns the number of its last event.
func (j *journal) append(o order) (uint64, error) {
	now := time.Now().UnixMilli()
	all := []event{{Kind: "opened", Table: o.Table, At: now}}
	for i := range o.Items {
		all = append(all, event{Kind: "ordered", Table: o.Table, At: now, Item: &o.Items[i]})
	}
	all = append(all, event{Kind: "sent", Table: o.Table, At: now})
	entries := make([][]byte, len(all))
	for i, e := range all {
		b, err := json.Marshal(e)
		if err != nil {
			return 0, err
		}
		entries[i] = b
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.write(entries); err != nil {
		return 0, fmt.Errorf("after entry %d: %w", j.last, err)
	}
	for _, i := range o.Items {
		j.dishes[i.Dish] += i.N
	}
	return j.last, nil
}

func main() {
	dir, err := os.MkdirTemp("", "kitchen-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := wal.Open(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	j := &journal{log: l, dishes: map[string]int{}}
	http.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var o order
		if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&o); err != nil || len(o.Items) == 0 {
			http.Error(w, "an order has a table and items", http.StatusBadRequest)
			return
		}
		n, err := j.append(o)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]uint64{"last": n})
	})
	http.HandleFunc("GET /dishes", func(w http.ResponseWriter, r *http.Request) {
		j.mu.Lock()
		defer j.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(j.dishes)
	})
	service.Run(http.DefaultServeMux)
}
