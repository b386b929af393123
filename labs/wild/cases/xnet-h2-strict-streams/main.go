// Timetables of a region: a page shows what leaves from a stop, and asks the operator whose buses stop there, a service that
// speaks HTTP/2, takes 25 ms, and lets eight requests at a time into a connection.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"golang.org/x/net/http2"

	"wild/service"
)

// departure is a bus that leaves.
type departure struct {
	Line  string `json:"line"`
	To    string `json:"to"`
	In    int    `json:"in_minutes"`
	Delay int    `json:"delay_minutes"`
}

// region asks the operator.
type region struct {
	operator string
	client   *http.Client
}

func open(address string) *region {
	return &region{"http://" + address, &http.Client{Timeout: 10 * time.Second, Transport: &http2.Transport{
		AllowHTTP:                  true,
		StrictMaxConcurrentStreams: !service.After(),
		ReadIdleTimeout:            30 * time.Second,
		DialTLSContext: func(ctx context.Context, network, addr string, _ *tls.Config) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, addr)
		},
	}}}
}

// leaving is what leaves from a stop.
func (g *region) leaving(ctx context.Context, stop int) ([]departure, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/stops/%d", g.operator, stop), http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := g.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the operator says %s", resp.Status)
	}
	var out []departure
	return out, json.NewDecoder(resp.Body).Decode(&out)
}

func (g *region) serve(w http.ResponseWriter, r *http.Request) {
	stop, err := strconv.Atoi(r.PathValue("stop"))
	if err != nil || stop < 1 {
		http.Error(w, "stops have numbers", http.StatusNotFound)
		return
	}
	all, err := g.leaving(r.Context(), stop)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	late := 0
	for _, d := range all {
		if d.Delay > 2 {
			late++
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"stop": stop, "departures": all, "late": late})
}

func main() {
	if os.Getenv("ROLE") == "operator" {
		operator()
		return
	}
	g := open(service.Beside("operator"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stops/{stop}/departures", g.serve)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}

// operator has the buses.
func operator() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stops/{stop}", func(w http.ResponseWriter, r *http.Request) {
		stop, _ := strconv.Atoi(r.PathValue("stop"))
		time.Sleep(25 * time.Millisecond)
		out := make([]departure, 8)
		for i := range out {
			out[i] = departure{strconv.Itoa(1 + (stop+i*7)%60), fmt.Sprintf("terminus %d", (stop*3+i)%20), 1 + i*4, (stop + i) % 5}
		}
		json.NewEncoder(w).Encode(out)
	})
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols), HTTP2: &http.HTTP2Config{MaxConcurrentStreams: 8}}
	srv.Protocols.SetUnencryptedHTTP2(true)
	go func() { log.Println(srv.Serve(ln)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
