// Baskets: each request asks for the prices of 16 items, with conc's iter.Map. Prices are
// a process of its own that takes 20 ms, however many it is asked.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/conc/iter"

	"wild/service"
)

const lines = 16

func main() {
	if os.Getenv("ROLE") == "prices" {
		prices()
		return
	}
	url := "http://" + service.Beside("prices") + "/price?item="
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}, Timeout: 5 * time.Second}
	price := func(item *int64) (int, error) {
		resp, err := client.Get(url + strconv.FormatInt(*item, 10))
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			return 0, err
		}
		return strconv.Atoi(string(text))
	}
	var all iter.Mapper[int64, int]
	if service.After() {
		all.MaxGoroutines = lines
	}
	var seq atomic.Int64
	http.HandleFunc("/basket", func(w http.ResponseWriter, r *http.Request) {
		items := make([]int64, lines)
		first := seq.Add(lines)
		for i := range items {
			items[i] = (first + int64(i)) % 1000
		}
		cents, err := all.MapErr(items, price)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		sum := 0
		for _, c := range cents {
			sum += c
		}
		fmt.Fprintln(w, sum)
	})
	service.Run(http.DefaultServeMux)
}

func prices() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond)
		io.WriteString(w, "1990")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
