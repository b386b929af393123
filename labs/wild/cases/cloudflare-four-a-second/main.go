// Names of a hosting company: where a customer's name points is asked of the zone's API, which a plan of the company's own lets it ask
// as often as it wants; the API runs as a process of its own and takes 4 ms.
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

	"github.com/cloudflare/cloudflare-go"

	"wild/service"
)

const zone = "023e105f4ecef8ad9ca31a8372d0c353"

// desk answers customers.
type desk struct{ api *cloudflare.API }

func open(address string) (*desk, error) {
	opts := []cloudflare.Option{
		cloudflare.BaseURL("http://" + address + "/client/v4"),
		cloudflare.HTTPClient(&http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}),
	}
	if service.After() {
		opts = append(opts, cloudflare.UsingRateLimit(5000))
	}
	api, err := cloudflare.NewWithAPIToken("token-of-the-desk", opts...)
	return &desk{api}, err
}

// points are the addresses of a name.
func (d *desk) points(ctx context.Context, name string) ([]string, error) {
	all, _, err := d.api.ListDNSRecords(ctx, cloudflare.ZoneIdentifier(zone), cloudflare.ListDNSRecordsParams{Name: name, Type: "A"})
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range all {
		out = append(out, r.Content)
	}
	return out, nil
}

func (d *desk) serve(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	name := r.PathValue("name")
	out, err := d.points(ctx, name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"name": name, "points": out})
}

func main() {
	if os.Getenv("ROLE") == "api" {
		api()
		return
	}
	d, err := open(service.Beside("api"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /names/{name}", d.serve)
	service.Run(mux)
}

// api has the records of the zone.
func api() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /client/v4/zones/{zone}/dns_records", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		name := r.FormValue("name")
		records := []map[string]any{{"id": "a1", "type": "A", "name": name, "content": fmt.Sprintf("192.0.2.%d", len(name)), "ttl": 300}}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"success": true, "errors": []string{}, "messages": []string{}, "result": records, "result_info": map[string]int{"page": 1, "per_page": 100, "count": 1, "total_count": 1, "total_pages": 1}})
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
