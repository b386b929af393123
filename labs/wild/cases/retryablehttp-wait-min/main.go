// A shop front that asks the stock service through retryablehttp. That is a process of its
// own, answers in 3 ms, and says 503 to one request of fifty: asked again, it answers.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "stock" {
		stock()
		return
	}
	url := "http://" + service.Beside("stock") + "/left"
	client := retryablehttp.NewClient()
	client.Logger = nil
	client.HTTPClient.Transport = &http.Transport{MaxIdleConnsPerHost: 64}
	if service.After() {
		client.RetryWaitMin = 5 * time.Millisecond
		client.RetryWaitMax = 200 * time.Millisecond
	}
	http.HandleFunc("/item", func(w http.ResponseWriter, r *http.Request) {
		req, err := retryablehttp.NewRequestWithContext(r.Context(), http.MethodGet, url, nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		resp, err := client.Do(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		left, err := io.ReadAll(resp.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintf(w, "lamp: %s\n", left)
	})
	service.Run(http.DefaultServeMux)
}

func stock() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var seq atomic.Int64
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if seq.Add(1)%50 == 0 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		time.Sleep(3 * time.Millisecond)
		io.WriteString(w, "7 left")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
