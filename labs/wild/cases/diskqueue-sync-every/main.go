// An intake that hands events to a queue on disk (the one of nsqd) and answers when
// the queue has them.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/nsqio/go-diskqueue"

	"wild/service"
)

func main() {
	dir, err := os.MkdirTemp("", "queue-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	var syncEvery int64 = 1
	if service.After() {
		syncEvery = 2500 // what nsqd has
	}
	q := diskqueue.New("events", dir, 64<<20, 1, 1<<20, syncEvery, 2*time.Second,
		func(diskqueue.LogLevel, string, ...interface{}) {})
	defer q.Close()
	go func() {
		for range q.ReadChan() { // a consumer that keeps up
		}
	}()
	http.HandleFunc("/event", func(w http.ResponseWriter, r *http.Request) {
		event, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<16))
		if err != nil || len(event) == 0 {
			http.Error(w, "no event", http.StatusBadRequest)
			return
		}
		if err := q.Put(event); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, "queued")
	})
	service.Run(http.DefaultServeMux)
}
