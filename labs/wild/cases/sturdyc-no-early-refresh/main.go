// Rooms of hotels: how many are free is asked of the hotel's own system, a process of its own which is slow, and kept
// for a moment, since guests look at the same hotels again and again.
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
	"time"

	"github.com/viccon/sturdyc"

	"wild/service"
)

// rooms is what a hotel has.
type rooms struct {
	Hotel int            `json:"hotel"`
	Free  map[string]int `json:"free"`
	Cents map[string]int `json:"cents"`
	At    time.Time      `json:"at"`
}

// agency shows them.
type agency struct {
	kept   *sturdyc.Client[rooms]
	hotels string
	client *http.Client
}

func open(hotels string) *agency {
	a := &agency{hotels: hotels, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}}
	if service.After() {
		a.kept = sturdyc.New[rooms](10000, 16, 10*time.Second, 10,
			sturdyc.WithEarlyRefreshes(300*time.Millisecond, 600*time.Millisecond, 2*time.Second, 50*time.Millisecond))
	} else {
		a.kept = sturdyc.New[rooms](10000, 16, 600*time.Millisecond, 10)
	}
	return a
}

var errHotel = errors.New("no such hotel")

func (a *agency) rooms(ctx context.Context, id int) (rooms, error) {
	return a.kept.GetOrFetch(ctx, "hotel-"+strconv.Itoa(id), func(ctx context.Context) (rooms, error) { return a.ask(ctx, id) })
}

// ask has what a hotel says now.
func (a *agency) ask(ctx context.Context, id int) (out rooms, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/hotels/%d", a.hotels, id), nil)
	if err != nil {
		return out, err
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound {
		return out, errHotel
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(data, &out)
}

// cheapest is the kind of room to have for the least.
func cheapest(r rooms) (kind string, cents int) {
	for k, c := range r.Cents {
		if r.Free[k] > 0 && (kind == "" || c < cents) {
			kind, cents = k, c
		}
	}
	return kind, cents
}

func main() {
	if os.Getenv("ROLE") == "hotels" {
		serveHotels()
		return
	}
	a := open(service.Beside("hotels"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hotels/{id}/rooms", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil {
			http.Error(w, "id is a number", http.StatusBadRequest)
			return
		}
		out, err := a.rooms(r.Context(), id)
		switch {
		case errors.Is(err, errHotel):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		kind, cents := cheapest(out)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"rooms": out, "from": map[string]any{"kind": kind, "cents": cents}})
	})
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}

// serveHotels is the hotels' system, which takes 45 ms.
func serveHotels() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /hotels/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || id <= 0 || id > 500 {
			http.Error(w, "no such hotel", http.StatusNotFound)
			return
		}
		time.Sleep(45 * time.Millisecond)
		out := rooms{Hotel: id, Free: map[string]int{}, Cents: map[string]int{}, At: time.Now()}
		for i, kind := range []string{"single", "double", "suite", "family"} {
			out.Free[kind], out.Cents[kind] = (id+i*3)%7, 7900+i*2500+id%30*100
		}
		json.NewEncoder(w).Encode(out)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
