// A shop front that asks a slow warehouse for each answer, through resty, with enough
// connections. The warehouse is a process of its own and takes 25 ms.
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

	"github.com/go-resty/resty/v2"

	"wild/service"
)

type answer struct {
	Item string `json:"item"`
	Left int    `json:"left"`
}

func main() {
	if os.Getenv("ROLE") == "warehouse" {
		warehouse()
		return
	}
	client := resty.New().
		SetBaseURL("http://" + service.Beside("warehouse")).
		SetTransport(&http.Transport{MaxIdleConns: 128, MaxIdleConnsPerHost: 128, IdleConnTimeout: 90 * time.Second}).
		SetTimeout(5 * time.Second)

	var seq atomic.Int64
	http.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		var a answer
		resp, err := client.R().
			SetContext(r.Context()).
			SetQueryParam("item", fmt.Sprint(seq.Add(1)%1000)).
			SetResult(&a).
			Get("/left")
		if err != nil || resp.IsError() {
			http.Error(w, "the warehouse does not answer", http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, a.Item, a.Left)
	})
	service.Run(http.DefaultServeMux)
}

func warehouse() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(25 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"item":%q,"left":7}`, r.URL.Query().Get("item"))
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
