// Rates of currencies from a partner, a process of its own that takes 6 ms, behind a circuit
// breaker of sony/gobreaker and tried again by cenkalti/backoff should it fail, which it does
// not. Couriers that are on the road each have a goroutine that waits for news of them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sony/gobreaker/v2"

	"wild/service"
)

const couriers = 2_000

type rate struct {
	From  string  `json:"from"`
	To    string  `json:"to"`
	Value float64 `json:"value"`
}

type rates struct {
	client  *http.Client
	breaker *gobreaker.CircuitBreaker[rate]
	partner string
}

func main() {
	if os.Getenv("ROLE") == "partner" {
		partner()
		return
	}
	s := rates{
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		breaker: gobreaker.NewCircuitBreaker[rate](gobreaker.Settings{
			Name:    "rates",
			Timeout: 10 * time.Second,
			// A client that has gone away says nothing of the partner.
			IsSuccessful: func(err error) bool { return err == nil || errors.Is(err, context.Canceled) },
		}),
		partner: "http://" + service.Beside("partner"),
	}
	news := make(chan string)
	for range couriers {
		go follow(news)
	}
	http.HandleFunc("/rate", func(w http.ResponseWriter, r *http.Request) {
		from, to := r.FormValue("from"), r.FormValue("to")
		found, err := backoff.Retry(r.Context(), func() (rate, error) {
			return s.breaker.Execute(func() (rate, error) { return s.ask(r.Context(), from, to) })
		}, backoff.WithMaxTries(3))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	})
	http.HandleFunc("/news", func(w http.ResponseWriter, r *http.Request) {
		select {
		case news <- r.FormValue("text"):
		case <-r.Context().Done():
		}
	})
	service.Run(http.DefaultServeMux)
}

func follow(news <-chan string) {
	for {
		select {
		case text := <-news:
			log.Println(text)
		case <-time.After(10 * time.Minute):
			log.Println("nothing heard for ten minutes")
		}
	}
}

func (s rates) ask(ctx context.Context, from, to string) (rate, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.partner+"/rate?from="+from+"&to="+to, nil)
	if err != nil {
		return rate{}, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return rate{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return rate{}, fmt.Errorf("the partner says %s", resp.Status)
	}
	var found rate
	err = json.NewDecoder(resp.Body).Decode(&found)
	return found, err
}

func partner() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(6 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(rate{r.FormValue("from"), r.FormValue("to"), 1.0842})
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
