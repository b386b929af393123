// Stock that is booked under a lock in Redis (redsync), one for each article. Redis is a
// process of its own; a lock is held for two of its commands.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"

	"wild/service"
)

const articles = 8

func main() {
	if os.Getenv("ROLE") == "redis" {
		serve()
		return
	}
	client := redis.NewClient(&redis.Options{Addr: service.Beside("redis"), PoolSize: 64, MinIdleConns: 16})
	locks := redsync.New(goredis.NewPool(client))
	var options []redsync.Option
	if service.After() {
		options = append(options, redsync.WithRetryDelay(3*time.Millisecond), redsync.WithTries(1000))
	}
	var seq atomic.Int64
	http.HandleFunc("/book", func(w http.ResponseWriter, r *http.Request) {
		article := fmt.Sprint("article:", seq.Add(1)*7919%10007%articles)
		lock := locks.NewMutex("lock:"+article, options...)
		if err := lock.LockContext(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		left, err := book(r.Context(), client, article)
		if _, e := lock.UnlockContext(r.Context()); err == nil {
			err = e
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, article, left)
	})
	service.Run(http.DefaultServeMux)
}

// book takes one of an article, which is filled up when there is none.
func book(ctx context.Context, client *redis.Client, article string) (int, error) {
	left, err := client.Get(ctx, article).Int()
	if err != nil && err != redis.Nil {
		return 0, err
	}
	if left == 0 {
		left = 1000
	}
	return left - 1, client.Set(ctx, article, left-1, 0).Err()
}

func serve() {
	m := miniredis.NewMiniRedis()
	if err := m.Start(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
