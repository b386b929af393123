// Offers for parcels: each carrier has a price for a weight and a zone, and what is quoted,
// by whom and how often is told to the agent of the monitoring, a process of its own.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/DataDog/datadog-go/statsd"

	"wild/service"
)

type offer struct {
	Carrier string  `json:"carrier"`
	Days    int     `json:"days"`
	Euros   float64 `json:"euros"`
}

type carrier struct {
	name  string
	tags  []string
	base  float64
	perKg float64
}

func main() {
	if os.Getenv("ROLE") == "agent" {
		agent()
		return
	}
	metrics, err := statsd.New(service.Beside("agent"), statsd.WithNamespace("parcels."), statsd.WithTags([]string{"region:eu", "service:offers"}))
	if err != nil {
		log.Fatal(err)
	}
	var carriers []carrier
	for i := range 10 {
		name := "carrier-" + strconv.Itoa(i)
		carriers = append(carriers, carrier{name, []string{"carrier:" + name}, 3 + float64(i)/4, 0.5 + float64(i)/20})
	}
	http.HandleFunc("/offers", func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		kg, err := strconv.ParseFloat(r.URL.Query().Get("kg"), 64)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var offers []offer
		for i, c := range carriers {
			o := offer{c.name, 1 + i%4, c.base + kg*c.perKg}
			offers = append(offers, o)
			metrics.Incr("offers", c.tags, 1)
			metrics.Histogram("euros", o.Euros, c.tags, 1)
		}
		metrics.Incr("requests", nil, 1)
		metrics.Histogram("kilos", kg, nil, 1)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(offers)
		metrics.Timing("time", time.Since(start), nil, 1)
	})
	service.Run(http.DefaultServeMux)
}

// agent takes what it is told.
func agent() {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		b := make([]byte, 64<<10)
		for {
			if _, _, err := c.ReadFrom(b); err != nil {
				return
			}
		}
	}()
	fmt.Println(c.LocalAddr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
