// Water levels of a river: gauges tell them, and each is passed on to the board that shows the newest ones and to the archive, a process
// elsewhere, which takes 1.5 ms for a parcel of levels, of which twenty fit into one.
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

	"github.com/dustin/go-broadcast"

	"wild/service"
)

// level is what a gauge has measured.
type level struct {
	Gauge string  `json:"gauge"`
	Metre float64 `json:"metre"`
}

// river passes levels on.
type river struct {
	levels  broadcast.Broadcaster
	client  *http.Client
	archive string

	mu     sync.Mutex
	newest map[string]float64
}

func open(address string) *river {
	r := &river{
		levels:  broadcast.NewBroadcaster(16),
		client:  &http.Client{Timeout: 5 * time.Second},
		archive: "http://" + address + "/levels",
		newest:  map[string]float64{},
	}
	board, archive := make(chan any, 16), make(chan any, 16)
	if service.After() {
		archive = make(chan any, 4096)
	}
	r.levels.Register(board)
	r.levels.Register(archive)
	go r.show(board)
	go r.keep(archive)
	return r
}

// show has the newest levels at hand.
func (r *river) show(in <-chan any) {
	for l := range in {
		l := l.(level)
		r.mu.Lock()
		r.newest[l.Gauge] = l.Metre
		r.mu.Unlock()
	}
}

// keep hands levels to the archive: each as it comes, or all that have come meanwhile.
func (r *river) keep(in <-chan any) {
	for l := range in {
		parcel := []any{l}
		for service.After() && len(in) > 0 && len(parcel) < 20 {
			parcel = append(parcel, <-in)
		}
		if err := r.store(parcel); err != nil {
			log.Println(err)
		}
	}
}

func (r *river) store(parcel []any) error {
	body, err := json.Marshal(parcel)
	if err != nil {
		return err
	}
	resp, err := r.client.Post(r.archive, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (r *river) serve(w http.ResponseWriter, req *http.Request) {
	var in level
	if err := json.NewDecoder(req.Body).Decode(&in); err != nil || in.Gauge == "" {
		http.Error(w, "how high?", http.StatusBadRequest)
		return
	}
	r.levels.Submit(in)
	w.WriteHeader(http.StatusAccepted)
}

func main() {
	if os.Getenv("ROLE") == "archive" {
		archive()
		return
	}
	r := open(service.Beside("archive"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /levels", r.serve)
	mux.HandleFunc("GET /levels", func(w http.ResponseWriter, _ *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		json.NewEncoder(w).Encode(r.newest)
	})
	service.Run(mux)
}

// archive keeps parcels.
func archive() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(1500 * time.Microsecond)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
