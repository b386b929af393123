// Quotes of a carrier, a process of its own that takes 10 ms: each request hands its
// question to a pool of ants and waits for the answer.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/panjf2000/ants/v2"

	"wild/service"
)

type quote struct {
	Carrier string `json:"carrier"`
	Cents   int    `json:"cents"`
}

func main() {
	if os.Getenv("ROLE") == "carrier" {
		carrier()
		return
	}
	url := "http://" + service.Beside("carrier") + "/quote"
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}, Timeout: 5 * time.Second}

	workers := 4
	if service.After() {
		workers = 256
	}
	pool, err := ants.NewPool(workers)
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Release()

	type answer struct {
		quote quote
		err   error
	}
	http.HandleFunc("/quote", func(w http.ResponseWriter, r *http.Request) {
		done := make(chan answer, 1)
		err := pool.Submit(func() {
			var a answer
			a.quote, a.err = ask(client, url)
			done <- a
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		a := <-done
		if a.err != nil {
			http.Error(w, a.err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(a.quote)
	})
	service.Run(http.DefaultServeMux)
}

func ask(client *http.Client, url string) (q quote, err error) {
	resp, err := client.Get(url)
	if err != nil {
		return q, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return q, err
	}
	return q, json.Unmarshal(body, &q)
}

func carrier() {
	http.HandleFunc("/quote", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(10 * time.Millisecond)
		json.NewEncoder(w).Encode(quote{Carrier: "north", Cents: 590})
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
