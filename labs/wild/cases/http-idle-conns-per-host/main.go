// A product page that asks the stock service for the eight items on it, all at
// the same time. The stock service is a process of its own on this machine.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"wild/service"
)

const items = 8

func main() {
	if os.Getenv("ROLE") == "stock" {
		stock()
		return
	}
	base := "http://" + service.Beside("stock")
	transport := &http.Transport{MaxIdleConns: 256, IdleConnTimeout: 90 * time.Second}
	if service.After() {
		transport.MaxIdleConnsPerHost = 256
	}
	client := &http.Client{Transport: transport, Timeout: 5 * time.Second}

	var seq atomic.Int64
	http.HandleFunc("/product", func(w http.ResponseWriter, r *http.Request) {
		first := seq.Add(1) * items
		var left [items]string
		var failed atomic.Bool
		var wg sync.WaitGroup
		for i := range left {
			wg.Add(1)
			go func() {
				defer wg.Done()
				var err error
				if left[i], err = inStock(client, fmt.Sprintf("%s/stock?item=%d", base, first+int64(i))); err != nil {
					failed.Store(true)
				}
			}()
		}
		wg.Wait()
		if failed.Load() {
			http.Error(w, "stock is not known", http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, strings.Join(left[:], " "))
	})
	service.Run(http.DefaultServeMux)
}

func inStock(client *http.Client, url string) (string, error) {
	resp, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

// stock answers after half a millisecond, as a store with an index would.
func stock() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(500 * time.Microsecond)
		fmt.Fprint(w, len(r.URL.Query().Get("item")))
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
