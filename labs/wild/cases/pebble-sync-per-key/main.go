// An event intake over Pebble: a request brings twelve events and writes each with
// a commit of its own, so that it waits for twelve syncs of the log.
package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/cockroachdb/pebble"
	"wild/service"
)

const events = 12

func main() {
	dir, err := os.MkdirTemp("", "intake-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := pebble.Open(dir, &pebble.Options{Logger: quiet{}})
	if err != nil {
		log.Fatal(err)
	}
	store := storeEach
	if service.After() {
		store = storeBatch
	}
	body := make([]byte, 200)
	var seq atomic.Uint64
	mux := http.NewServeMux()
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		first := seq.Add(events)
		if err := store(db, first, body); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, first)
	})
	service.Run(mux)
}

func storeEach(db *pebble.DB, first uint64, body []byte) error {
	for i := uint64(0); i < events; i++ {
		if err := db.Set(key(first+i), body, pebble.Sync); err != nil {
			return err
		}
	}
	return nil
}

func storeBatch(db *pebble.DB, first uint64, body []byte) error {
	b := db.NewBatch()
	defer b.Close()
	for i := uint64(0); i < events; i++ {
		if err := b.Set(key(first+i), body, nil); err != nil {
			return err
		}
	}
	return b.Commit(pebble.Sync)
}

func key(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

type quiet struct{}

func (quiet) Infof(string, ...interface{})              {}
func (quiet) Errorf(format string, args ...interface{}) { log.Printf(format, args...) }
func (quiet) Fatalf(format string, args ...interface{}) { log.Fatalf(format, args...) }
