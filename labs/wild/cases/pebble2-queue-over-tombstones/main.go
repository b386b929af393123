// Jobs of a print shop: shops put jobs into a queue, printers take the oldest, and the queue is on disk, so that jobs
// outlive the computer that it runs on.
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"wild/service"
)

type job struct {
	ID     uint64 `json:"id"`
	Shop   string `json:"shop"`
	File   string `json:"file"`
	Copies int    `json:"copies"`
}

// queue has jobs in the order in which they came.
type queue struct {
	db   *pebble.DB
	next atomic.Uint64
	left atomic.Int64

	mu    sync.Mutex
	first uint64 // none before it is left, as far as is known
}

func key(id uint64) []byte { return binary.BigEndian.AppendUint64([]byte("job/"), id) }

func open(dir string) (*queue, error) {
	db, err := pebble.Open(dir, &pebble.Options{MemTableSize: 32 << 20, Logger: quiet{}})
	return &queue{db: db}, err
}

type quiet struct{}

func (quiet) Infof(string, ...any)           {}
func (quiet) Errorf(format string, a ...any) { log.Printf(format, a...) }
func (quiet) Fatalf(format string, a ...any) { log.Fatalf(format, a...) }

func (q *queue) put(j job) (job, error) {
	j.ID = q.next.Add(1)
	data, err := json.Marshal(j)
	if err != nil {
		return j, err
	}
	if err := q.db.Set(key(j.ID), data, pebble.NoSync); err != nil {
		return j, err
	}
	q.left.Add(1)
	return j, nil
}

var errEmpty = errors.New("no jobs")

// take has the oldest job, which is in the queue no more.
func (q *queue) take() (out job, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	bounds := &pebble.IterOptions{LowerBound: []byte("job/"), UpperBound: []byte("job0")}
	if service.After() {
		bounds.LowerBound = key(q.first)
	}
	it, err := q.db.NewIter(bounds)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	if !it.First() {
		return out, errors.Join(errEmpty, it.Error())
	}
	data, err := it.ValueAndErr()
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return out, err
	}
	if err := q.db.Delete(it.Key(), pebble.NoSync); err != nil {
		return out, err
	}
	q.left.Add(-1)
	q.first = out.ID
	if q.first > 64 {
		q.first -= 64 // one that was numbered before may come after it
	}
	return out, nil
}

func main() {
	dir, err := os.MkdirTemp("", "jobs")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	q, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /jobs", func(w http.ResponseWriter, r *http.Request) {
		var j job
		if err := json.NewDecoder(io.LimitReader(r.Body, 8<<10)).Decode(&j); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if j.Shop == "" || j.File == "" || j.Copies < 1 || j.Copies > 500 {
			http.Error(w, "a job has a shop, a file and 1 to 500 copies", http.StatusUnprocessableEntity)
			return
		}
		j, err := q.put(j)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusCreated)
		json.NewEncoder(w).Encode(j)
	})
	mux.HandleFunc("POST /jobs/take", func(w http.ResponseWriter, r *http.Request) {
		j, err := q.take()
		switch {
		case errors.Is(err, errEmpty):
			w.WriteHeader(http.StatusNoContent)
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		default:
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(j)
		}
	})
	mux.HandleFunc("GET /jobs", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"left":%d}`, q.left.Load())
	})
	service.Run(mux)
	q.db.Close()
}
