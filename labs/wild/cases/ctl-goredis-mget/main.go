// Pages of a shop whose twelve articles come from Redis by one MGET, with a pool that has
// a connection for each client. Redis is a process of its own.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"wild/service"
)

const (
	articles = 2000
	onPage   = 12
)

func main() {
	if os.Getenv("ROLE") == "redis" {
		serve()
		return
	}
	client := redis.NewClient(&redis.Options{Addr: service.Beside("redis"), PoolSize: 64, MinIdleConns: 32})
	var seq atomic.Int64
	http.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		first := seq.Add(1) * onPage
		keys := make([]string, onPage)
		for i := range keys {
			keys[i] = fmt.Sprint("article:", (first+int64(i))%articles)
		}
		values, err := client.MGet(r.Context(), keys...).Result()
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		page := make([]json.RawMessage, 0, onPage)
		for _, v := range values {
			if text, ok := v.(string); ok {
				page = append(page, json.RawMessage(text))
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(page)
	})
	service.Run(http.DefaultServeMux)
}

func serve() {
	m := miniredis.NewMiniRedis()
	for i := range articles {
		m.Set(fmt.Sprint("article:", i), fmt.Sprintf(`{"id":%d,"name":"article %d","price":%d}`, i, i, i*19%997))
	}
	if err := m.Start(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
