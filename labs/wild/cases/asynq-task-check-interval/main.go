// Labels that are drawn by tasks in asynq, so that there are never more than sixteen at a
// time; a request waits until its own is there. Redis is a process of its own.
package main

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/hibiken/asynq"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "redis" {
		serve()
		return
	}
	redis := asynq.RedisClientOpt{Addr: service.Beside("redis")}
	config := asynq.Config{Concurrency: 16, LogLevel: asynq.ErrorLevel}
	if service.After() {
		config.TaskCheckInterval = 5 * time.Millisecond
	}
	var waiting sync.Map
	workers := asynq.NewServer(redis, config)
	err := workers.Start(asynq.HandlerFunc(func(ctx context.Context, t *asynq.Task) error {
		if done, ok := waiting.LoadAndDelete(string(t.Payload())); ok {
			done.(chan string) <- label(string(t.Payload()))
		}
		return nil
	}))
	if err != nil {
		log.Fatal(err)
	}
	defer workers.Shutdown()
	client := asynq.NewClient(redis)
	var seq atomic.Int64
	http.HandleFunc("/label", func(w http.ResponseWriter, r *http.Request) {
		id := strconv.FormatInt(seq.Add(1), 10)
		done := make(chan string, 1)
		waiting.Store(id, done)
		defer waiting.Delete(id)
		if _, err := client.EnqueueContext(r.Context(), asynq.NewTask("label", []byte(id))); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		select {
		case text := <-done:
			fmt.Fprintln(w, text)
		case <-r.Context().Done():
		}
	})
	service.Run(http.DefaultServeMux)
}

func label(id string) string {
	return fmt.Sprintf("parcel %s-%08x", id, crc32.ChecksumIEEE([]byte(id)))
}

func serve() {
	m := miniredis.NewMiniRedis()
	if err := m.Start(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
