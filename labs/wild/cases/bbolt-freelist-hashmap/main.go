// A session store over bbolt that has once been large: most of its pages are free
// now. It may lose the last seconds (NoSync). Each commit puts the list of all free
// pages in order, under the lock of the only writer.
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

var bucket = []byte("sessions")

const (
	kept = 2000
	gone = 100000
)

func main() {
	dir, err := os.MkdirTemp("", "sessions-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	opts := *bolt.DefaultOptions
	opts.NoSync = true
	opts.FreelistType = bolt.FreelistMapType
	db, err := bolt.Open(filepath.Join(dir, "sessions.db"), 0o600, &opts)
	if err != nil {
		log.Fatal(err)
	}
	if err := age(db); err != nil {
		log.Fatal(err)
	}

	var seq atomic.Uint64
	mux := http.NewServeMux()
	mux.HandleFunc("/touch", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		err := db.Update(func(tx *bolt.Tx) error {
			return tx.Bucket(bucket).Put(key(n%kept), binary.BigEndian.AppendUint64(nil, n))
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, n)
	})
	service.Run(mux)
}

// age fills the store and removes nearly all of it again.
func age(db *bolt.DB) error {
	if err := db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucket([]byte("old"))
		if err == nil {
			_, err = tx.CreateBucket(bucket)
		}
		return err
	}); err != nil {
		return err
	}
	body := make([]byte, 2500)
	for i := uint64(0); i < gone; {
		if err := db.Update(func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("old"))
			for end := i + 10000; i < end; i++ {
				if err := b.Put(key(i), body); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	if err := db.Update(func(tx *bolt.Tx) error { return tx.DeleteBucket([]byte("old")) }); err != nil {
		return err
	}
	return db.Update(func(tx *bolt.Tx) error {
		for i := uint64(0); i < kept; i++ {
			if err := tx.Bucket(bucket).Put(key(i), key(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

func key(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
