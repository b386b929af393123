// Quotes for parcels over JSON-RPC: jrpc2 behind its HTTP bridge. For a quote the tariffs of the
// carrier are asked for, which run as a process of their own and take 8 ms.
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
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"
	"github.com/creachadair/jrpc2/jhttp"

	"wild/service"
)

const idle = 64

type parcel struct {
	Zone  string `json:"zone"`
	Grams int    `json:"grams"`
}

type quote struct {
	Zone  string `json:"zone"`
	Cents int    `json:"cents"`
}

type carrier struct {
	url    string
	client *http.Client
}

func (c carrier) Quote(ctx context.Context, p parcel) (quote, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/tariff?zone="+p.Zone, nil)
	if err != nil {
		return quote{}, err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return quote{}, err
	}
	defer resp.Body.Close()
	var tariff struct{ Base, PerKilo int }
	if err := json.NewDecoder(resp.Body).Decode(&tariff); err != nil {
		return quote{}, err
	}
	return quote{Zone: p.Zone, Cents: tariff.Base + tariff.PerKilo*p.Grams/1000}, nil
}

func main() {
	if os.Getenv("ROLE") == "carrier" {
		serve()
		return
	}
	c := carrier{
		url:    "http://" + service.Beside("carrier"),
		client: &http.Client{Transport: &http.Transport{MaxIdleConns: idle, MaxIdleConnsPerHost: idle}, Timeout: 5 * time.Second},
	}
	options := &jrpc2.ServerOptions{DisableBuiltin: true}
	if service.After() {
		options.Concurrency = idle
	}
	bridge := jhttp.NewBridge(handler.Map{"parcel.quote": handler.New(c.Quote)}, &jhttp.BridgeOptions{Server: options})
	defer bridge.Close()
	http.Handle("/rpc", bridge)
	service.Run(http.DefaultServeMux)
}

func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/tariff", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(8 * time.Millisecond)
		fmt.Fprintf(w, `{"base":%d,"perKilo":%d}`, 300+len(r.FormValue("zone")), 140)
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
