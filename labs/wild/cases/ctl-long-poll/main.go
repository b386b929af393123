// A blocking query as Consul has it: a client names the index that it has seen, and
// the answer waits until there is a newer one, two seconds at most. A writer changes
// the value each 300 ms.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-memdb"

	"wild/service"
)

const longest = 2 * time.Second

type entry struct {
	Key   string `json:"key"`
	Index uint64 `json:"index"`
	Value string `json:"value"`
}

func main() {
	db, err := memdb.NewMemDB(&memdb.DBSchema{Tables: map[string]*memdb.TableSchema{
		"kv": {Name: "kv", Indexes: map[string]*memdb.IndexSchema{
			"id": {Name: "id", Unique: true, Indexer: &memdb.StringFieldIndex{Field: "Key"}},
		}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	put(db, 1)
	go func() {
		index := uint64(1)
		for range time.Tick(300 * time.Millisecond) {
			index++
			put(db, index)
		}
	}()

	http.HandleFunc("/v1/kv", func(w http.ResponseWriter, r *http.Request) {
		seen, _ := strconv.ParseUint(r.URL.Query().Get("index"), 10, 64)
		wait := r.URL.Query().Has("wait")
		ctx, cancel := context.WithTimeout(r.Context(), longest)
		defer cancel()
		e, err := newer(ctx, db, seen, wait)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("X-Index", strconv.FormatUint(e.Index, 10))
		json.NewEncoder(w).Encode(e)
	})
	service.Run(http.DefaultServeMux)
}

// newer returns the value once its index is over seen or, with next, once it has
// changed; when the time is up it returns what there is.
func newer(ctx context.Context, db *memdb.MemDB, seen uint64, next bool) (entry, error) {
	for first := true; ; first = false {
		changed, raw, err := db.Txn(false).FirstWatch("kv", "id", "config")
		if err != nil {
			return entry{}, err
		}
		e := *raw.(*entry)
		if e.Index > seen && !(next && first) {
			return e, nil
		}
		ws := memdb.NewWatchSet()
		ws.Add(changed)
		if ws.WatchCtx(ctx) != nil {
			return e, nil
		}
	}
}

func put(db *memdb.MemDB, index uint64) {
	txn := db.Txn(true)
	if err := txn.Insert("kv", &entry{Key: "config", Index: index, Value: "v" + strconv.FormatUint(index, 10)}); err != nil {
		log.Fatal(err)
	}
	txn.Commit()
}
