// Fares of a travel office: a search asks the price service, which is a process of its own, for each leg of a way. Some
// of its answers are late, so a request that is not answered is sent once more.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/cristalhq/hedgedhttp"

	"wild/service"
)

// leg is a part of a way, and what it costs.
type leg struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Cents int    `json:"cents"`
}

// office searches fares.
type office struct {
	client *hedgedhttp.Client
	prices string
}

func open(prices string) (*office, error) {
	cfg := hedgedhttp.Config{Transport: &http.Transport{MaxIdleConnsPerHost: 128}, Upto: 4, Delay: 2 * time.Millisecond}
	if service.After() {
		cfg.Upto, cfg.Delay = 2, 40*time.Millisecond
	}
	c, err := hedgedhttp.New(cfg)
	return &office{c, prices}, err
}

var errUnknown = errors.New("no such stop")

func (o *office) price(ctx context.Context, from, to string) (leg, error) {
	q := url.Values{"from": {from}, "to": {to}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+o.prices+"/price?"+q.Encode(), http.NoBody)
	if err != nil {
		return leg{}, err
	}
	resp, err := o.client.Do(req)
	if err != nil {
		return leg{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound {
		return leg{}, errUnknown
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return leg{}, err
	}
	out := leg{From: from, To: to}
	return out, json.Unmarshal(data, &out)
}

// way has the price of each leg of a way.
func (o *office) way(ctx context.Context, stops []string) (legs []leg, cents int, err error) {
	for i := range stops[1:] {
		l, err := o.price(ctx, stops[i], stops[i+1])
		if err != nil {
			return nil, 0, fmt.Errorf("%s to %s: %w", stops[i], stops[i+1], err)
		}
		legs, cents = append(legs, l), cents+l.Cents
	}
	return legs, cents, nil
}

func main() {
	if os.Getenv("ROLE") == "prices" {
		servePrices()
		return
	}
	o, err := open(service.Beside("prices"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /fares", func(w http.ResponseWriter, r *http.Request) {
		stops := strings.Split(r.FormValue("stops"), ",")
		if len(stops) < 2 || len(stops) > 5 {
			http.Error(w, "two to five stops are asked for", http.StatusBadRequest)
			return
		}
		legs, cents, err := o.way(r.Context(), stops)
		switch {
		case errors.Is(err, errUnknown):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"legs": legs, "cents": cents})
	})
	mux.HandleFunc("GET /stops", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "OSL CPH ARN HEL BGO GOT") })
	service.Run(mux)
}

// servePrices is the price service: it works on twelve prices at a time, each takes it 6 ms, and one in a hundred 60 ms.
// What it began to work on it ends, even if it is not waited for any more.
func servePrices() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	slots := make(chan struct{}, 12)
	http.HandleFunc("GET /price", func(w http.ResponseWriter, r *http.Request) {
		from, to := r.FormValue("from"), r.FormValue("to")
		if len(from) != 3 || len(to) != 3 {
			http.NotFound(w, r)
			return
		}
		select {
		case slots <- struct{}{}:
		case <-r.Context().Done():
			return
		}
		took := 6 * time.Millisecond
		if rand.IntN(100) == 0 {
			took *= 10
		}
		time.Sleep(took)
		<-slots
		h := fnv.New32a()
		io.WriteString(h, from+to)
		fmt.Fprintf(w, `{"cents":%d}`, 3900+h.Sum32()%20000)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
