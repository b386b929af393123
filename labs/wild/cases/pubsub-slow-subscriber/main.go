// Prices are published to all screens by cskr/pubsub. One of the screens is slow.
package main

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/cskr/pubsub"

	"wild/service"
)

func main() {
	ps := pubsub.New(16)
	publish := ps.Pub
	if service.After() {
		publish = ps.TryPub // who does not keep up misses some
	}
	for i := range 8 {
		go screen(ps.Sub("prices"), i == 3)
	}
	var seq atomic.Int64
	http.HandleFunc("/price", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		publish(n, "prices")
		fmt.Fprintln(w, n)
	})
	service.Run(http.DefaultServeMux)
}

func screen(prices chan interface{}, slow bool) {
	for range prices {
		if slow {
			time.Sleep(2 * time.Millisecond)
		}
	}
}
