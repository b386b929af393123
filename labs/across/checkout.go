package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// billing is how long checkout takes by itself, and writing how long it keeps its ledger's lock where that is its fault.
const (
	billing = 2 * time.Millisecond
	writing = 2 * time.Millisecond
)

// checkout asks inventory, and bills.
type checkout struct {
	client    client
	propagate bool
	fault     string
	ledger    sync.Mutex
	sold      int
}

// client asks inventory for an article; trace is the traceparent that is handed on, "" for none.
type client interface {
	stock(ctx context.Context, article, trace string) (string, error)
}

func newClient(o options) (client, error) {
	if o.grpc {
		return newGRPCClient(o.inventory)
	}
	return &httpClient{&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}, Timeout: 10 * time.Second}, "http://" + o.inventory}, nil
}

func newCheckout(o options, c client) http.Handler {
	s := &checkout{client: c, propagate: o.propagate, fault: o.fault}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /buy/{article}", s.buy)
	return mux
}

func (s *checkout) buy(w http.ResponseWriter, r *http.Request) {
	trace := ""
	if s.propagate {
		trace = r.Header.Get("traceparent")
	}
	stock, err := s.client.stock(r.Context(), r.PathValue("article"), trace)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if s.fault == "lock" {
		s.enter()
	} else {
		time.Sleep(billing)
	}
	fmt.Fprintf(w, "sold one of %s\n", stock)
}

// httpClient asks over HTTP/1.1.
type httpClient struct {
	http *http.Client
	base string
}

func (c *httpClient) stock(ctx context.Context, article, trace string) (string, error) {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/stock/"+article, nil)
	if err != nil {
		return "", err
	}
	if trace != "" {
		ask.Header.Set("traceparent", trace)
	}
	resp, err := c.http.Do(ask)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

// enter writes to the ledger, one request at a time.
func (s *checkout) enter() {
	s.ledger.Lock()
	defer s.ledger.Unlock()
	time.Sleep(writing)
	s.sold++
}
