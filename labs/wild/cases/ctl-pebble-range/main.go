// Time series in Pebble: a request asks for an hour of one of 200 meters, of which the store
// has a value for each minute of three days, and gets the values and their sum. The block cache
// has room for all of them, and tables have filters.
package main

import (
	"encoding/binary"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/cockroachdb/pebble"
	"github.com/cockroachdb/pebble/bloom"

	"wild/service"
)

const (
	meters  = 200
	minutes = 3 * 24 * 60
)

type hour struct {
	Meter  uint32   `json:"meter"`
	From   uint32   `json:"from"`
	Values []uint32 `json:"values"`
	Sum    uint64   `json:"sum"`
}

func key(meter, minute uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, meter), minute)
}

func read(db *pebble.DB, meter, from uint32) (hour, error) {
	h := hour{Meter: meter, From: from, Values: make([]uint32, 0, 60)}
	it, err := db.NewIter(&pebble.IterOptions{LowerBound: key(meter, from), UpperBound: key(meter, from+60)})
	if err != nil {
		return h, err
	}
	for ok := it.First(); ok; ok = it.Next() {
		v := binary.BigEndian.Uint32(it.Value())
		h.Values = append(h.Values, v)
		h.Sum += uint64(v)
	}
	return h, it.Close()
}

func main() {
	dir, err := os.MkdirTemp("", "meters-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	cache := pebble.NewCache(64 << 20)
	defer cache.Unref()
	db, err := pebble.Open(dir, &pebble.Options{
		Cache:  cache,
		Levels: []pebble.LevelOptions{{FilterPolicy: bloom.FilterPolicy(10)}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	for m := range uint32(meters) {
		b := db.NewBatch()
		for t := range uint32(minutes) {
			b.Set(key(m, t), binary.BigEndian.AppendUint32(nil, (m*7919+t*31)%5000), nil)
		}
		if err := b.Commit(pebble.NoSync); err != nil {
			log.Fatal(err)
		}
	}
	if err := db.Flush(); err != nil {
		log.Fatal(err)
	}
	var seq atomic.Uint32
	http.HandleFunc("/hour", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1) * 2654435761 >> 8
		h, err := read(db, n%meters, n/meters%(minutes-60))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(h)
	})
	service.Run(http.DefaultServeMux)
}
