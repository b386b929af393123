// A front for holiday homes: each page asks the booking system, a process of its own that
// takes 12 ms, whether the home is free, and adds the price of the season.
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
	"net/url"
	"os"
	"strconv"
	"time"

	"wild/service"
)

type free struct {
	Home  string `json:"home"`
	Week  int    `json:"week"`
	Free  bool   `json:"free"`
	Owner string `json:"owner"`
}

type offer struct {
	free
	Cents  int    `json:"cents"`
	Season string `json:"season"`
}

// bookings is the booking system.
type bookings struct {
	http *http.Client
	url  string
}

func newBookings(address string) *bookings {
	transport := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
		MaxIdleConns:        100,
		MaxIdleConnsPerHost: 100,
		MaxConnsPerHost:     4,
		IdleConnTimeout:     time.Minute,
	}
	if service.After() {
		transport.MaxConnsPerHost = 100
	}
	return &bookings{http: &http.Client{Transport: transport, Timeout: 5 * time.Second}, url: "http://" + address + "/free?"}
}

func (b *bookings) free(ctx context.Context, home string, week int) (free, error) {
	var f free
	q := url.Values{"home": {home}, "week": {strconv.Itoa(week)}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+q.Encode(), nil)
	if err != nil {
		return f, err
	}
	resp, err := b.http.Do(req)
	if err != nil {
		return f, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		io.Copy(io.Discard, resp.Body)
		return f, errors.New("bookings: " + resp.Status)
	}
	if err := json.NewDecoder(resp.Body).Decode(&f); err != nil {
		return f, err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return f, err
}

// season is what a week costs.
func season(week int) (string, int) {
	switch {
	case week >= 27 && week <= 34:
		return "summer", 98000
	case week >= 51 || week <= 1:
		return "new year", 89000
	}
	return "low", 42000
}

func main() {
	if os.Getenv("ROLE") == "bookings" {
		serve()
		return
	}
	b := newBookings(service.Beside("bookings"))
	http.HandleFunc("GET /rooms/{home}", func(w http.ResponseWriter, r *http.Request) {
		week, err := strconv.Atoi(r.URL.Query().Get("week"))
		if err != nil || week < 1 || week > 53 {
			http.Error(w, "no such week", http.StatusBadRequest)
			return
		}
		f, err := b.free(r.Context(), r.PathValue("home"), week)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		o := offer{free: f}
		o.Season, o.Cents = season(week)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(o)
	})
	service.Run(http.DefaultServeMux)
}

func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/free", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(12 * time.Millisecond)
		week, _ := strconv.Atoi(r.FormValue("week"))
		json.NewEncoder(w).Encode(free{r.FormValue("home"), week, week%3 != 0, "owner-" + r.FormValue("home")})
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
