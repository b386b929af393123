// A renderer that bounds what runs at once by a weighted semaphore of 32. A page takes
// 1 of it for some milliseconds; a report, of which there are five a second, takes all
// 32 and so waits until the last page is done, and pages wait behind it.
package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"

	"wild/service"
)

const places = 32

func main() {
	pages := semaphore.NewWeighted(places)
	reports := pages
	if service.After() {
		reports = semaphore.NewWeighted(places) // of their own
	}
	go func() {
		for range time.Tick(200 * time.Millisecond) {
			report(reports)
		}
	}()
	http.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		if err := pages.Acquire(r.Context(), 1); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer pages.Release(1)
		time.Sleep(4 * time.Millisecond) // the renderer
		fmt.Fprintln(w, "page")
	})
	service.Run(http.DefaultServeMux)
}

func report(sem *semaphore.Weighted) {
	if err := sem.Acquire(context.Background(), places); err != nil {
		return
	}
	defer sem.Release(places)
	time.Sleep(60 * time.Millisecond)
}
