// Quotes for parcels: the carrier is asked what a parcel costs, and asked again when it is busy. Its gateway turns
// away a few of a hundred at once, and would take the same a moment later. It is a process of its own.
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
	"strconv"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"

	"wild/service"
)

// rate is what the carrier answers.
type rate struct {
	Service string `json:"service"`
	Cents   int64  `json:"cents"`
	Days    int    `json:"days"`
}

// quote is what is shown of a rate.
type quote struct {
	rate
	Total string `json:"total"`
	Until string `json:"until"`
}

var errBusy = errors.New("the carrier is busy")

// carrier asks for rates.
type carrier struct {
	url    string
	client *http.Client
}

func newCarrier(address string) *carrier {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	return &carrier{"http://" + address, &http.Client{Transport: t, Timeout: 5 * time.Second}}
}

func (c *carrier) ask(ctx context.Context, zone string, grams int) (rates []rate, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/rates?zone=%s&grams=%d", c.url, zone, grams), nil)
	if err != nil {
		return nil, backoff.Permanent(err)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		return rates, json.NewDecoder(resp.Body).Decode(&rates)
	case http.StatusServiceUnavailable:
		io.Copy(io.Discard, resp.Body)
		return nil, errBusy
	}
	return nil, backoff.Permanent(fmt.Errorf("carrier: %s", resp.Status))
}

func (c *carrier) rates(ctx context.Context, zone string, grams int) ([]rate, error) {
	waits := backoff.NewExponentialBackOff()
	if service.After() {
		waits.InitialInterval = 2 * time.Millisecond
	}
	return backoff.Retry(ctx, func() ([]rate, error) { return c.ask(ctx, zone, grams) },
		backoff.WithBackOff(waits), backoff.WithMaxTries(5))
}

func quotes(rates []rate) []quote {
	out := make([]quote, 0, len(rates))
	for _, r := range rates {
		total := r.Cents + r.Cents*19/100
		out = append(out, quote{r, fmt.Sprintf("%d.%02d EUR", total/100, total%100), time.Now().AddDate(0, 0, r.Days).Format(time.DateOnly)})
	}
	return out
}

func main() {
	if os.Getenv("ROLE") == "carrier" {
		serveCarrier()
		return
	}
	c := newCarrier(service.Beside("carrier"))
	http.HandleFunc("GET /quotes/{zone}", func(w http.ResponseWriter, r *http.Request) {
		grams, err := strconv.Atoi(r.FormValue("grams"))
		if err != nil || grams < 1 || grams > 31500 {
			http.Error(w, "grams is 1 to 31500", http.StatusBadRequest)
			return
		}
		rates, err := c.rates(r.Context(), r.PathValue("zone"), grams)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(quotes(rates))
	})
	service.Run(http.DefaultServeMux)
}

// serveCarrier answers in 4 ms, and turns away three in a hundred.
func serveCarrier() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var n atomic.Int64
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1)%33 == 0 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		time.Sleep(4 * time.Millisecond)
		grams, _ := strconv.ParseInt(r.FormValue("grams"), 10, 64)
		var rates []rate
		for i, name := range []string{"letter", "parcel", "express", "overnight"} {
			rates = append(rates, rate{name, 380 + grams/int64(50-i*10)*int64(i+1), 5 - i})
		}
		json.NewEncoder(w).Encode(rates)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
