// A file index over Badger: a request lists the names below one folder. The
// iterator fetches the value of each entry, too, and the listing never looks at it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
	"wild/service"
)

const (
	folders = 40
	files   = 300
)

func main() {
	dir, err := os.MkdirTemp("", "index-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil).WithValueThreshold(1 << 10))
	if err != nil {
		log.Fatal(err)
	}
	if err := fill(db); err != nil {
		log.Fatal(err)
	}
	opts := badger.DefaultIteratorOptions
	if service.After() {
		opts.PrefetchValues = false
	}

	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/list", func(w http.ResponseWriter, r *http.Request) {
		opts := opts
		opts.Prefix = []byte(folder(int(seq.Add(1)) % folders))
		var names []string
		err := db.View(func(tx *badger.Txn) error {
			it := tx.NewIterator(opts)
			defer it.Close()
			for it.Rewind(); it.Valid(); it.Next() {
				names = append(names, string(it.Item().Key()))
			}
			return nil
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		json.NewEncoder(w).Encode(names[:10])
	})
	service.Run(mux)
}

func fill(db *badger.DB) error {
	wb := db.NewWriteBatch()
	defer wb.Cancel()
	body := make([]byte, 8<<10)
	for d := 0; d < folders; d++ {
		for f := 0; f < files; f++ {
			if err := wb.Set([]byte(fmt.Sprintf("%s%04d", folder(d), f)), body); err != nil {
				return err
			}
		}
	}
	return wb.Flush()
}

func folder(n int) string { return fmt.Sprintf("folder-%02d/", n) }
