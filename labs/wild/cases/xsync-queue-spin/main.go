// A thumbnail service: requests put jobs into a queue, workers take them. Workers
// that find the queue empty wait in a busy loop.
package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/puzpuzpuz/xsync/v3"
	"wild/service"
)

const workers = 8

type job struct {
	id   int64
	done chan string
}

func main() {
	put, take := lockFree()
	if service.After() {
		put, take = channel()
	}
	for i := 0; i < workers; i++ {
		go func() {
			for {
				j := take()
				j.done <- render(j.id)
			}
		}()
	}

	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/thumbnail", func(w http.ResponseWriter, r *http.Request) {
		j := &job{seq.Add(1), make(chan string, 1)}
		put(j)
		fmt.Fprintln(w, <-j.done)
	})
	service.Run(mux)
}

func lockFree() (put func(*job), take func() *job) {
	q := xsync.NewMPMCQueueOf[*job](1024)
	return q.Enqueue, q.Dequeue
}

func channel() (put func(*job), take func() *job) {
	q := make(chan *job, 1024)
	return func(j *job) { q <- j }, func() *job { return <-q }
}

func render(n int64) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(n)))
	for i := 0; i < 300; i++ {
		sum = sha256.Sum256(sum[:])
	}
	return fmt.Sprintf("%x", sum[:8])
}
