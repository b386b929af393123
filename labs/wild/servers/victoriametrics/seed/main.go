// Command seed imports 2000 series with two hours of samples, one in 15 s, that end at a fixed
// time, and writes what the load imports: one sample for each of 1000 other series.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

const (
	end  = 1767225600000 // 2026-01-01T00:00:00Z, ms
	step = 15000
)

func main() {
	url, file := os.Args[1], os.Args[2]
	var load bytes.Buffer
	for i := range 1000 {
		fmt.Fprintf(&load, "http_requests_total{job=\"job-%d\",instance=\"host-%d:9100\",path=\"/api/v1/%d\",code=\"200\"} %d\n", i%10, i%50, i, i*17)
	}
	if err := os.WriteFile(file, load.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	for first := 0; first < 2000; first += 50 {
		var body bytes.Buffer
		for i := first; i < first+50; i++ {
			for n := range 480 {
				fmt.Fprintf(&body, "requests_total{job=\"job-%d\",instance=\"host-%d:9100\",path=\"/p/%d\"} %d %d\n",
					i%10, i%100, i, n*(i%7+1), end-(480-n)*step)
			}
		}
		post(url+"/api/v1/import/prometheus", &body)
	}
	resp, err := http.Get(url + "/internal/force_flush")
	if err != nil {
		log.Fatal(err)
	}
	_ = resp.Body.Close()
}

func post(url string, body io.Reader) {
	resp, err := http.Post(url, "text/plain", body)
	if err != nil {
		log.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		log.Fatal(resp.Status)
	}
}
