// Thumbnails of a gallery: what is to be made is kept in a queue on disk, so that a restart does not lose all of it,
// and makers take it from there. What is lost can be asked for again.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/joncrlsn/dque"

	"wild/service"
)

// job is a thumbnail that is to be made.
type job struct {
	Picture string `json:"picture"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Crop    string `json:"crop"`
}

// gallery has jobs to do.
type gallery struct {
	queue *dque.DQue
	done  atomic.Int64
	sum   atomic.Uint32
}

const perSegment = 2000

func open(dir string) (*gallery, error) {
	q, err := dque.New("thumbnails", dir, perSegment, func() any { return &job{} })
	if err != nil {
		return nil, err
	}
	if service.After() {
		if err := q.TurboOn(); err != nil {
			return nil, err
		}
	}
	g := &gallery{queue: q}
	for range 2 {
		go g.make()
	}
	return g, nil
}

// make works until the queue is closed.
func (g *gallery) make() {
	for {
		next, err := g.queue.DequeueBlock()
		if errors.Is(err, dque.ErrQueueClosed) {
			return
		} else if err != nil {
			log.Println(err)
			continue
		}
		j := next.(*job)
		g.sum.Add(crc32.ChecksumIEEE([]byte(j.Picture + j.Crop)))
		g.done.Add(1)
	}
}

func (g *gallery) ask(j job) error {
	if j.Picture == "" || j.Width <= 0 || j.Height <= 0 || j.Width > 2000 || j.Height > 2000 {
		return errors.New("a thumbnail has a picture, a width and a height of up to 2000")
	}
	return g.queue.Enqueue(&j)
}

func main() {
	dir, err := os.MkdirTemp("", "gallery")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	g, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /thumbnails", func(w http.ResponseWriter, r *http.Request) {
		var j job
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&j); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := g.ask(j); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprintf(w, `{"ahead":%s}`, strconv.Itoa(g.queue.SizeUnsafe()))
	})
	mux.HandleFunc("GET /thumbnails", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int64{"done": g.done.Load(), "ahead": int64(g.queue.SizeUnsafe())})
	})
	service.Run(mux)
	g.queue.Close()
}
