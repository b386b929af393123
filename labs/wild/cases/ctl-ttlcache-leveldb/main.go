// Timelines: the newest events of a user out of a LevelDB, with the names of those who caused
// them, which are kept in memory for ten minutes.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/jellydator/ttlcache/v3"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/util"

	"wild/service"
)

const (
	users  = 2000
	events = 30
	page   = 20
)

type event struct {
	By   string `json:"by"`
	Kind string `json:"kind"`
	At   uint64 `json:"at"`
}

func main() {
	dir, err := os.MkdirTemp("", "timelines-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := leveldb.OpenFile(dir, &opt.Options{Filter: filter.NewBloomFilter(10), BlockCacheCapacity: 32 << 20})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if err := fill(db); err != nil {
		log.Fatal(err)
	}
	names := ttlcache.New(
		ttlcache.WithTTL[uint32, string](10*time.Minute),
		ttlcache.WithDisableTouchOnHit[uint32, string](),
		ttlcache.WithLoader(ttlcache.LoaderFunc[uint32, string](func(c *ttlcache.Cache[uint32, string], id uint32) *ttlcache.Item[uint32, string] {
			name, err := db.Get(nameKey(id), nil)
			if err != nil {
				return nil
			}
			return c.Set(id, string(name), ttlcache.DefaultTTL)
		})),
	)
	go names.Start()
	var turn atomic.Uint32
	http.HandleFunc("/timeline", func(w http.ResponseWriter, r *http.Request) {
		user := turn.Add(1) * 7919 % users
		it := db.NewIterator(util.BytesPrefix(eventKey(user, 0)[:5]), nil)
		defer it.Release()
		list := make([]event, 0, page)
		for len(list) < page && it.Next() {
			v := it.Value()
			by := binary.BigEndian.Uint32(v)
			name := names.Get(by)
			if name == nil {
				continue
			}
			list = append(list, event{By: name.Value(), Kind: string(v[4:]), At: ^binary.BigEndian.Uint64(it.Key()[5:])})
		}
		if err := it.Error(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(list)
	})
	service.Run(http.DefaultServeMux)
}

func nameKey(id uint32) []byte { return binary.BigEndian.AppendUint32([]byte{'n'}, id) }

// eventKey sorts the newest first.
func eventKey(user uint32, at uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32([]byte{'e'}, user), ^at)
}

func fill(db *leveldb.DB) error {
	kinds := []string{"liked your photo", "follows you", "answered you", "mentioned you"}
	var b leveldb.Batch
	for u := range uint32(users) {
		b.Put(nameKey(u), fmt.Appendf(nil, "user %d", u))
		for i := range events {
			v := binary.BigEndian.AppendUint32(nil, (u*31+uint32(i)*17)%users)
			b.Put(eventKey(u, 1_767_225_600+uint64(i)*613), append(v, kinds[i%len(kinds)]...))
		}
		if b.Len() >= 2000 {
			if err := db.Write(&b, nil); err != nil {
				return err
			}
			b.Reset()
		}
	}
	if err := db.Write(&b, nil); err != nil {
		return err
	}
	return db.CompactRange(util.Range{})
}
