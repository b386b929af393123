// A shop front that asks the stock service, a process of its own, for each answer.
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
	if os.Getenv("ROLE") == "stock" {
		stock()
		return
	}
	address := service.Beside("stock")
	newClient := func() *resty.Client {
		return resty.New().SetBaseURL("http://" + address).SetTimeout(5 * time.Second).SetRetryCount(2)
	}
	client := newClient
	if service.After() {
		shared := newClient()
		shared.SetTransport(&http.Transport{MaxIdleConnsPerHost: 32})
		client = func() *resty.Client { return shared }
	} else {
		// What is left of a client that is not used again goes after a second.
		client = func() *resty.Client {
			c := newClient()
			c.SetTransport(&http.Transport{IdleConnTimeout: time.Second})
			return c
		}
	}
	var seq atomic.Int64
	http.HandleFunc("/left", func(w http.ResponseWriter, r *http.Request) {
		var a answer
		resp, err := client().R().SetContext(r.Context()).SetResult(&a).
			SetQueryParam("item", fmt.Sprint(seq.Add(1)%1000)).Get("/left")
		if err != nil || resp.IsError() {
			http.Error(w, "no answer", http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, a.Item, a.Left)
	})
	service.Run(http.DefaultServeMux)
}

func stock() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"item":%q,"left":7}`, r.URL.Query().Get("item"))
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
