// Seats of a theatre: a request holds two seats at the hall's system, a process of its own that
// takes 4 ms and now and then, when two want the same row at once, asks to be called again.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/avast/retry-go/v4"

	"wild/service"
)

var errBusy = errors.New("the row is being changed")

type held struct {
	Hold  string `json:"hold"`
	Seats []int  `json:"seats"`
}

type hall struct {
	client  *http.Client
	address string
	options []retry.Option
}

func (h *hall) hold(r *http.Request) (held, error) {
	options := append([]retry.Option{retry.Context(r.Context())}, h.options...)
	return retry.DoWithData(func() (out held, err error) {
		req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, h.address+"?row="+r.FormValue("row"), nil)
		if err != nil {
			return out, retry.Unrecoverable(err)
		}
		resp, err := h.client.Do(req)
		if err != nil {
			return out, err
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusConflict {
			io.Copy(io.Discard, resp.Body)
			return out, errBusy
		}
		return out, json.NewDecoder(resp.Body).Decode(&out)
	}, options...)
}

func main() {
	if os.Getenv("ROLE") == "hall" {
		serve()
		return
	}
	h := &hall{
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		address: "http://" + service.Beside("hall") + "/hold",
		options: []retry.Option{retry.Attempts(5), retry.LastErrorOnly(true)},
	}
	if service.After() {
		h.options = append(h.options, retry.Delay(2*time.Millisecond), retry.MaxJitter(2*time.Millisecond))
	}
	http.HandleFunc("/seats", func(w http.ResponseWriter, r *http.Request) {
		got, err := h.hold(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(got)
	})
	service.Run(http.DefaultServeMux)
}

func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var calls atomic.Int64
	http.HandleFunc("/hold", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		n := calls.Add(1)
		if n%33 == 0 {
			http.Error(w, "again, please", http.StatusConflict)
			return
		}
		json.NewEncoder(w).Encode(held{fmt.Sprint("hold-", n), []int{int(n % 30), int(n%30) + 1}})
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
