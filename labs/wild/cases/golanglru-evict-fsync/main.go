// A cart service with a write-back cache: carts live in an LRU cache, and one that is
// evicted is written to disk and synced. One request in twelve evicts a cart.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru"
	"wild/service"
)

const (
	cached  = 1000
	visitor = 12
)

type cart struct {
	User  int64 `json:"user"`
	Items []int `json:"items"`
}

func main() {
	dir, err := os.MkdirTemp("", "carts-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	carts, err := lru.NewWithEvict(cached, func(key, value interface{}) {
		if err := save(dir, value.(*cart)); err != nil {
			log.Println(err)
		}
	})
	if err != nil {
		log.Fatal(err)
	}
	for i := int64(0); i < cached; i++ {
		carts.Add(i, &cart{User: i})
	}

	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/cart", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		// Regular visitors come back often; each twelfth request is of a new one.
		user := n * 7919 % (cached / 2)
		if n%visitor == 0 {
			user = cached + n
		}
		v, ok := carts.Get(user)
		if !ok {
			v = &cart{User: user, Items: []int{int(n)}}
			carts.Add(user, v)
		}
		fmt.Fprintln(w, v.(*cart).User)
	})
	service.Run(mux)
}

// save keeps a cart on disk; a few hundred files are enough for this service.
func save(dir string, c *cart) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprint(c.User%500)), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(body); err != nil {
		return err
	}
	return f.Sync()
}
