// Sessions in go-cache: many of them, and each request looks one up or renews it. Those
// that have expired shall not stay in memory, so the cache is often swept.
package main

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/patrickmn/go-cache"

	"wild/service"
)

type session struct {
	user  int
	hits  int
	since time.Time
}

const sessions = 1_200_000

func main() {
	cleanup := 25 * time.Millisecond
	if service.After() {
		cleanup = 0 // expired ones are not found either, and are renewed in place
	}
	items := make(map[string]cache.Item, sessions)
	keys := make([]string, sessions)
	now := time.Now()
	for i := range keys {
		keys[i] = "session:" + strconv.Itoa(i)
		items[keys[i]] = cache.Item{Object: &session{user: i, since: now}, Expiration: now.Add(time.Hour).UnixNano()}
	}
	c := cache.NewFrom(time.Hour, cleanup, items)
	var seq atomic.Int64
	http.HandleFunc("/session", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		key := keys[(n*7919)%sessions]
		s, ok := c.Get(key)
		if !ok {
			http.NotFound(w, r)
			return
		}
		if n%10 == 0 {
			c.SetDefault(key, s)
		}
		fmt.Fprintln(w, s.(*session).user)
	})
	service.Run(http.DefaultServeMux)
}
