// Votes of a club: a vote is on disk before it is answered, and votes that come at the same time are written together.
// What stands is counted as votes come, and read without the database.
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"wild/service"
)

type vote struct {
	Motion string `json:"motion"`
	Voice  string `json:"voice"`
	Member int    `json:"member"`
}

// hall takes votes.
type hall struct {
	db *bolt.DB

	mu    sync.RWMutex
	count map[string]map[string]int
}

var votes = []byte("votes")

func open(dir string) (*hall, error) {
	db, err := bolt.Open(filepath.Join(dir, "votes.db"), 0o600, &bolt.Options{FreelistType: bolt.FreelistMapType})
	if err != nil {
		return nil, err
	}
	db.MaxBatchDelay = time.Millisecond
	h := &hall{db: db, count: map[string]map[string]int{}}
	for _, m := range []string{"fees", "hall", "chair"} {
		h.count[m] = map[string]int{}
	}
	return h, db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(votes)
		return err
	})
}

var errMotion = errors.New("no such motion")

func (h *hall) take(v vote) (uint64, error) {
	h.mu.RLock()
	_, ok := h.count[v.Motion]
	h.mu.RUnlock()
	if !ok {
		return 0, errMotion
	}
	var id uint64
	err := h.db.Batch(func(tx *bolt.Tx) error {
		b := tx.Bucket(votes)
		n, err := b.NextSequence()
		if err != nil {
			return err
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		id = n
		b.FillPercent = 0.95 // keys come in order
		return b.Put(binary.BigEndian.AppendUint64(nil, n), data)
	})
	if err != nil {
		return 0, err
	}
	h.mu.Lock()
	h.count[v.Motion][v.Voice]++
	h.mu.Unlock()
	return id, nil
}

func (h *hall) stands(motion string) (map[string]int, bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	c, ok := h.count[motion]
	out := make(map[string]int, len(c))
	for k, n := range c {
		out[k] = n
	}
	return out, ok
}

func main() {
	dir, err := os.MkdirTemp("", "votes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	h, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /votes", func(w http.ResponseWriter, r *http.Request) {
		var v vote
		if err := json.NewDecoder(io.LimitReader(r.Body, 2<<10)).Decode(&v); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if v.Member <= 0 || v.Voice != "yes" && v.Voice != "no" && v.Voice != "none" {
			http.Error(w, "a vote has a member, and is yes, no or none", http.StatusUnprocessableEntity)
			return
		}
		id, err := h.take(v)
		switch {
		case errors.Is(err, errMotion):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]uint64{"receipt": id})
	})
	mux.HandleFunc("GET /motions/{motion}", func(w http.ResponseWriter, r *http.Request) {
		c, ok := h.stands(r.PathValue("motion"))
		if !ok {
			http.Error(w, errMotion.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(c)
	})
	service.Run(mux)
	h.db.Close()
}
