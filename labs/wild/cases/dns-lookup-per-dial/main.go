// A shop asks a carrier for the state of a parcel. The carrier closes each connection after
// its answer, so each call dials, and looks up the carrier's name for it. The name server,
// 15 ms away, and the carrier, 5 ms away, are a process of their own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/dnscache"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "outside" {
		outside()
		return
	}
	names, port, _ := strings.Cut(service.Beside("outside"), " ")
	dialer := &net.Dialer{Timeout: 5 * time.Second, Resolver: &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) { // what resolv.conf says elsewhere
			return new(net.Dialer).DialContext(ctx, network, names)
		},
	}}
	transport := &http.Transport{DialContext: dialer.DialContext}
	if service.After() {
		cache := &dnscache.Resolver{Resolver: dialer.Resolver}
		go func() {
			for range time.Tick(time.Minute) {
				cache.Refresh(true)
			}
		}()
		transport.DialContext = cached(cache, dialer)
	}
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}

	var seq atomic.Int64
	http.HandleFunc("/parcel", func(w http.ResponseWriter, r *http.Request) {
		url := fmt.Sprintf("http://api.carrier.example:%s/state?parcel=%d", port, seq.Add(1)%10_000)
		req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, url, nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		resp, err := client.Do(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		var state struct{ Parcel, State string }
		if err := json.NewDecoder(resp.Body).Decode(&state); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(state)
	})
	service.Run(http.DefaultServeMux)
}

// cached dials the addresses that a cache has of a name.
func cached(cache *dnscache.Resolver, dialer *net.Dialer) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		found, err := cache.LookupHost(ctx, host)
		if err != nil {
			return nil, err
		}
		var c net.Conn
		for _, ip := range found {
			if c, err = dialer.DialContext(ctx, network, net.JoinHostPort(ip, port)); err == nil {
				break
			}
		}
		return c, err
	}
}

func outside() {
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			question := make([]byte, 512)
			n, from, err := udp.ReadFrom(question)
			if err != nil {
				return
			}
			time.AfterFunc(15*time.Millisecond, func() { udp.WriteTo(reply(question[:n]), from) })
		}
	}()

	http.HandleFunc("/state", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		fmt.Fprintf(w, `{"parcel":%q,"state":"on its way"}`, r.FormValue("parcel"))
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{}
	srv.SetKeepAlivesEnabled(false)
	go srv.Serve(ln)
	fmt.Println(udp.LocalAddr(), ln.Addr().(*net.TCPAddr).Port)
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// reply answers a question for an address with 127.0.0.1, and any other with nothing.
func reply(question []byte) []byte {
	end := 12
	for end < len(question) && question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5
	if end > len(question) {
		return nil
	}
	out := append([]byte(nil), question[:end]...)
	out[2], out[3] = 0x85, 0x80                                        // an answer, with authority
	copy(out[6:12], []byte{0, 0, 0, 0, 0, 0})                          // no records
	if kind := question[end-4 : end-2]; kind[0] == 0 && kind[1] == 1 { // A
		out[7] = 1
		out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1)
	}
	return out
}
