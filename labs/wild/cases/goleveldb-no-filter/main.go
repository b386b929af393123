// A receiver of events that drops those it has seen: their numbers are in LevelDB, and
// nearly all that come are new.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"

	"wild/service"
)

const (
	seen  = 300_000
	batch = 20 // events in a request
)

// key is the number of the nth event: a hash, so that numbers are spread evenly.
func key(n int64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(n)))
	return sum[:16]
}

func main() {
	dir, err := os.MkdirTemp("", "events-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	options := &opt.Options{}
	if service.After() {
		options.Filter = filter.NewBloomFilter(10)
	}
	db, err := leveldb.OpenFile(dir, options)
	if err != nil {
		log.Fatal(err)
	}
	fill(db)

	var seq atomic.Int64
	seq.Store(seen)
	http.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		first := seq.Add(batch)
		fresh := 0
		for i := range int64(batch) {
			n := first + i
			if n%50 == 0 {
				n %= seen // came before
			}
			known, err := db.Has(key(n), nil)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			if !known {
				fresh++
			}
		}
		fmt.Fprintf(w, "%d of %d are new\n", fresh, batch)
	})
	service.Run(http.DefaultServeMux)
}

// fill stores what was seen before, each with a receipt of 120 bytes.
func fill(db *leveldb.DB) {
	b := new(leveldb.Batch)
	receipt := make([]byte, 120)
	for n := range int64(seen) {
		k := key(n)
		copy(receipt, k)
		copy(receipt[60:], k)
		b.Put(k, receipt)
		if b.Len() == 1000 {
			if err := db.Write(b, nil); err != nil {
				log.Fatal(err)
			}
			b.Reset()
		}
	}
}
