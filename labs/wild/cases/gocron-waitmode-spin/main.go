// A quote service with a few nightly jobs that may not run at the same time. Jobs
// that wait for their turn do so in a busy loop of the scheduler, on the
// processors that the requests need.
package main

import (
	"crypto/sha256"
	"fmt"
	"log"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-co-op/gocron"
	"wild/service"
)

func main() {
	s := gocron.NewScheduler(time.UTC)
	s.SetMaxConcurrentJobs(1, gocron.WaitMode)
	for _, name := range []string{"invoices", "reminders", "backup"} {
		if _, err := s.Every(time.Hour).Do(job, name); err != nil {
			log.Fatal(err)
		}
	}
	s.StartAsync()

	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/quote", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, quote(seq.Add(1)))
	})
	service.Run(mux)
}

// job stands for one that waits for other systems nearly all of the time.
func job(string) { time.Sleep(10 * time.Minute) }

func quote(n int64) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(n)))
	for i := 0; i < 200; i++ {
		sum = sha256.Sum256(sum[:])
	}
	return fmt.Sprintf("%x", sum[:8])
}
