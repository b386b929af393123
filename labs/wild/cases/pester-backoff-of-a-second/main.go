// Parcels of a forwarder: where one is is asked of its carrier, a process elsewhere that takes 2 ms for an answer, and turns away one request
// of fifty for being busy, which is over at once.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/sethgrid/pester"

	"wild/service"
)

// forwarder asks a carrier.
type forwarder struct {
	carrier string
	client  *http.Client
}

func open(address string) *forwarder {
	return &forwarder{
		carrier: "http://" + address + "/parcels/",
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
	}
}

// where asks for a parcel, and again if the carrier is busy.
func (f *forwarder) where(parcel string) (string, error) {
	ask := pester.NewExtendedClient(f.client)
	if service.After() {
		ask.Backoff = func(int) time.Duration { return 5 * time.Millisecond }
	}
	resp, err := ask.Get(f.carrier + parcel)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	place, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the carrier says %s", resp.Status)
	}
	return string(place), err
}

func (f *forwarder) serve(w http.ResponseWriter, r *http.Request) {
	place, err := f.where(r.PathValue("parcel"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"parcel": r.PathValue("parcel"), "place": place})
}

func main() {
	if os.Getenv("ROLE") == "carrier" {
		serveCarrier()
		return
	}
	f := open(service.Beside("carrier"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /parcels/{parcel}", f.serve)
	service.Run(mux)
}

// serveCarrier says where parcels are.
func serveCarrier() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var asked atomic.Int64
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		if asked.Add(1)%50 == 0 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "depot "+fmt.Sprint(len(r.URL.Path)%9))
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
