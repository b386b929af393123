// Offers of travel agents, asked for at a partner, a process of its own that takes 4 ms. A
// limit by address, far above what anyone needs, guards against clients that run away.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/go-chi/httprate"

	"wild/service"
)

type offer struct {
	Hotel  string `json:"hotel"`
	Nights int    `json:"nights"`
	Cents  int    `json:"cents"`
}

type agency struct {
	client  *http.Client
	partner string
}

func main() {
	if os.Getenv("ROLE") == "partner" {
		partner()
		return
	}
	a := agency{
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		partner: "http://" + service.Beside("partner"),
	}
	guard := httprate.LimitByIP(50_000, time.Second)
	http.Handle("/offers", guard(http.HandlerFunc(a.offers)))
	service.Run(http.DefaultServeMux)
}

// offers answers with the cheapest first.
func (a agency) offers(w http.ResponseWriter, r *http.Request) {
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, a.partner+"/offers?place="+r.URL.Query().Get("place"), nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	resp, err := a.client.Do(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	var found []offer
	if err := json.NewDecoder(resp.Body).Decode(&found); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	slices.SortFunc(found, func(x, y offer) int { return x.Cents - y.Cents })
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(found)
}

func partner() {
	var all []offer
	for i := range 20 {
		all = append(all, offer{fmt.Sprint("Hotel ", i), i%7 + 1, i*7919%30_000 + 4_000})
	}
	text, err := json.Marshal(all)
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		w.Write(text)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
