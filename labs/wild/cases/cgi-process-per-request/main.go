// Tides of harbours: the site knows its harbours and its readers; high and low water come from an older program, which
// speaks CGI, or serves by itself.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"sync"

	"wild/service"
)

// harbour is a place that has tides.
type harbour struct {
	Name  string  `json:"name"`
	Metre float64 `json:"metre"` // of the mean high water
	Hours float64 `json:"hours"` // after the moon
}

var harbours = map[string]harbour{
	"brest": {"Brest", 6.2, 3.8}, "cadiz": {"Cádiz", 3.1, 1.2}, "dover": {"Dover", 6.4, 11.1}, "emden": {"Emden", 3.2, 0.4},
	"fowey": {"Fowey", 4.9, 5.2}, "galway": {"Galway", 4.4, 4.6}, "hull": {"Hull", 7.3, 6.1}, "jersey": {"Jersey", 10.4, 6.3},
}

// site counts what is read.
type site struct {
	mu     sync.Mutex
	read   map[string]int
	tables http.Handler
}

func open() (*site, error) {
	s := &site{read: map[string]int{}}
	if service.After() {
		at, err := url.Parse("http://" + service.Beside("tables"))
		if err != nil {
			return nil, err
		}
		proxy := httputil.NewSingleHostReverseProxy(at)
		proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 64}
		s.tables = proxy
		return s, nil
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s.tables = &cgi.Handler{Path: program, Root: "/", Env: []string{"ROLE=tables-cgi"}}
	return s, nil
}

// table is the page of a harbour.
func (s *site) table(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("harbour")
	if _, ok := harbours[id]; !ok {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	s.read[id]++
	s.mu.Unlock()
	w.Header().Set("Cache-Control", "max-age=600")
	s.tables.ServeHTTP(w, r)
}

func (s *site) readers(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(s.read)
}

func main() {
	switch os.Getenv("ROLE") {
	case "tables-cgi":
		if err := cgi.Serve(http.HandlerFunc(compute)); err != nil {
			log.Fatal(err)
		}
		return
	case "tables":
		serveTables()
		return
	}
	s, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tides/{harbour}", s.table)
	mux.HandleFunc("GET /readers", s.readers)
	service.Run(mux)
}

func serveTables() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Println(http.Serve(ln, http.HandlerFunc(compute))) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// water is how high it is at an hour.
type water struct {
	Hour   int     `json:"hour"`
	Metres float64 `json:"metres"`
}

// compute is the older program: the water of a day, by the hour.
func compute(w http.ResponseWriter, r *http.Request) {
	h, ok := harbours[r.URL.Path[len("/tides/"):]]
	day, err := strconv.Atoi(r.FormValue("day"))
	if !ok || err != nil {
		http.Error(w, "a table is of a harbour and a day", http.StatusBadRequest)
		return
	}
	var all []water
	for hour := range 24 {
		at := float64(day*24+hour) - h.Hours
		moon, sun := math.Cos(2*math.Pi*at/12.4206), math.Cos(2*math.Pi*at/12)
		all = append(all, water{hour, math.Round(50*h.Metre*(1+0.75*moon+0.25*sun)) / 100})
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"harbour": h, "day": day, "water": all})
}
