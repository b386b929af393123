// Readings of water meters, in a database that is a file: the key of a reading is its meter and its day, and a page shows the last ones of
// a meter.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	bolt "go.etcd.io/bbolt"

	"wild/service"
)

const (
	meters = 2000
	days   = 14
)

var readings = []byte("readings")

// reading is what a meter said on a day.
type reading struct {
	Day    string `json:"day"`
	Litres uint64 `json:"litres"`
}

// works has meters.
type works struct{ db *bolt.DB }

func open(file string) (*works, error) {
	db, err := bolt.Open(file, 0o600, &bolt.Options{NoSync: true})
	if err != nil {
		return nil, err
	}
	w := &works{db}
	return w, db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(readings)
		if err != nil {
			return err
		}
		for m := range meters {
			for d := range days {
				value := binary.BigEndian.AppendUint64(nil, uint64(m*1000+d*137))
				if err := b.Put(fmt.Appendf(nil, "m%04d/2026-11-%02d", m, d+1), value); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// of are the readings of a meter.
func (w *works) of(meter string) ([]reading, error) {
	prefix := []byte(meter + "/")
	out := []reading{}
	add := func(k, v []byte) error {
		out = append(out, reading{string(k[len(prefix):]), binary.BigEndian.Uint64(v)})
		return nil
	}
	err := w.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(readings)
		if service.After() {
			c := b.Cursor()
			for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
				if err := add(k, v); err != nil {
					return err
				}
			}
			return nil
		}
		return b.ForEach(func(k, v []byte) error {
			if bytes.HasPrefix(k, prefix) {
				return add(k, v)
			}
			return nil
		})
	})
	return out, err
}

func (w *works) page(rw http.ResponseWriter, r *http.Request) {
	meter := r.PathValue("meter")
	if n, err := strconv.Atoi(strings.TrimPrefix(meter, "m")); err != nil || n < 0 || n >= meters {
		http.Error(rw, "there is no such meter", http.StatusNotFound)
		return
	}
	all, err := w.of(meter)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "application/json")
	json.NewEncoder(rw).Encode(all)
}

func main() {
	dir, err := os.MkdirTemp("", "meters")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	w, err := open(filepath.Join(dir, "meters.db"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /meters/{meter}/readings", w.page)
	service.Run(mux)
}
