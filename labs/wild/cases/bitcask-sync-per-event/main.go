// Lockers of a parcel service: each says when a door is opened or shut, and the last events of each are kept in a store of keys and values
// on the disk.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"git.mills.io/prologic/bitcask"

	"wild/service"
)

const kept = 50 // events of a locker

// event is what happened at a locker.
type event struct {
	Door   int    `json:"door"`
	What   string `json:"what"`
	Parcel string `json:"parcel"`
}

// depot has events.
type depot struct {
	store *bitcask.Bitcask
	next  [400]atomic.Int64
}

func open(dir string) (*depot, error) {
	store, err := bitcask.Open(dir, bitcask.WithSync(!service.After()), bitcask.WithMaxDatafileSize(64<<20))
	if err != nil {
		return nil, err
	}
	d := &depot{store: store}
	if service.After() {
		go func() {
			for range time.Tick(time.Second) {
				if err := store.Sync(); err != nil {
					log.Println(err)
				}
			}
		}()
	}
	return d, nil
}

func key(locker int, n int64) []byte { return fmt.Appendf(nil, "locker/%d/%02d", locker, n%kept) }

// add keeps an event, in place of one that is old.
func (d *depot) add(locker int, e event) (int64, error) {
	value, err := json.Marshal(e)
	if err != nil {
		return 0, err
	}
	n := d.next[locker].Add(1)
	return n, d.store.Put(key(locker, n), value)
}

// last is the latest event of a locker.
func (d *depot) last(locker int) (json.RawMessage, error) {
	n := d.next[locker].Load()
	if n == 0 || !d.store.Has(key(locker, n)) {
		return json.RawMessage("null"), nil
	}
	return d.store.Get(key(locker, n))
}

func (d *depot) locker(w http.ResponseWriter, r *http.Request) (int, bool) {
	n, err := strconv.Atoi(r.PathValue("locker"))
	if err != nil || n < 0 || n >= len(d.next) {
		http.Error(w, "there is no such locker", http.StatusNotFound)
		return 0, false
	}
	return n, true
}

func (d *depot) serveAdd(w http.ResponseWriter, r *http.Request) {
	n, ok := d.locker(w, r)
	if !ok {
		return
	}
	var e event
	if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&e); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	number, err := d.add(n, e)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintf(w, `{"event":%d}`, number)
}

func (d *depot) serveLast(w http.ResponseWriter, r *http.Request) {
	n, ok := d.locker(w, r)
	if !ok {
		return
	}
	last, err := d.last(n)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(last)
}

func main() {
	dir, err := os.MkdirTemp("", "lockers")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	d, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /lockers/{locker}/events", d.serveAdd)
	mux.HandleFunc("GET /lockers/{locker}/events/last", d.serveLast)
	service.Run(mux)
}
