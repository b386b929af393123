// A counter service over bbolt: each request is one write transaction, and each
// transaction is synced to disk on its own.
package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"

	bolt "go.etcd.io/bbolt"
	"wild/service"
)

var bucket = []byte("hits")

func main() {
	dir, err := os.MkdirTemp("", "hits-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := bolt.Open(filepath.Join(dir, "hits.db"), 0o600, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucket(bucket)
		return err
	}); err != nil {
		log.Fatal(err)
	}

	write := db.Update
	if service.After() {
		// Requests that arrive together share one transaction.
		db.MaxBatchSize = 64
		write = db.Batch
	}
	var seq atomic.Uint64
	mux := http.NewServeMux()
	mux.HandleFunc("/hit", func(w http.ResponseWriter, r *http.Request) {
		var key [8]byte
		binary.BigEndian.PutUint64(key[:], seq.Add(1)%1000)
		var hits uint64
		err := write(func(tx *bolt.Tx) error {
			b := tx.Bucket(bucket)
			hits = 1
			if v := b.Get(key[:]); v != nil {
				hits += binary.BigEndian.Uint64(v)
			}
			return b.Put(key[:], binary.BigEndian.AppendUint64(nil, hits))
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, hits)
	})
	service.Run(mux)
}
