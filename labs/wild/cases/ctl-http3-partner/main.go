// Deliveries: for an address a partner is asked for the next slots, over HTTP/3. He is a process of his
// own, and thinks for 15 ms; calls share a connection and do not wait for each other.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/quic-go/quic-go/http3"

	"wild/service"
)

type slot struct {
	Day  string `json:"day"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// partner offers slots.
type partner struct {
	http *http.Client
	url  string
}

func (p partner) slots(ctx context.Context, zip string) ([]slot, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/slots?zip="+url.QueryEscape(zip), nil)
	if err != nil {
		return nil, err
	}
	resp, err := p.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("slots for %s: %s", zip, resp.Status)
	}
	var all []slot
	err = json.NewDecoder(resp.Body).Decode(&all)
	return all, err
}

func main() {
	if os.Getenv("ROLE") == "partner" {
		serve()
		return
	}
	address := service.Beside("partner")
	p := partner{
		url:  "https://" + address,
		http: &http.Client{Transport: &http3.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}, // his certificate is made when he starts
	}
	http.HandleFunc("GET /slots", func(w http.ResponseWriter, r *http.Request) {
		zip := r.URL.Query().Get("zip")
		if len(zip) != 5 {
			http.Error(w, "a zip has five digits", http.StatusBadRequest)
			return
		}
		all, err := p.slots(r.Context(), zip)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"zip": zip, "slots": all, "express": len(all) > 0 && all[0].From < 12})
	})
	service.Run(http.DefaultServeMux)
}

func serve() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour), DNSNames: []string{"partner"}}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /slots", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(15 * time.Millisecond)
		first := int(r.URL.Query().Get("zip")[4]-'0') + 8
		json.NewEncoder(w).Encode([]slot{{"2026-11-26", first, first + 2}, {"2026-11-26", first + 3, first + 5}, {"2026-11-27", 8, 10}})
	})
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http3.Server{Handler: mux, TLSConfig: http3.ConfigureTLSConfig(&tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{cert}, PrivateKey: key}},
	})}
	go func() { log.Println(srv.Serve(conn)) }()
	fmt.Println(conn.LocalAddr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
