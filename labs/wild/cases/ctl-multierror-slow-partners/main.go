// Quotes of an insurance broker: three insurers are asked at the same time, and what each says is passed on. They take between 15 and
// 40 ms, which is theirs to say, and run as a process of their own. Connections are kept, and what fails is told.
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

	"github.com/hashicorp/go-multierror"

	"wild/service"
)

// insurers and how long their answer takes.
var insurers = []struct {
	name string
	late time.Duration
}{{"alpine", 15 * time.Millisecond}, {"harbour", 25 * time.Millisecond}, {"mutual", 40 * time.Millisecond}}

// quote is what an insurer wants.
type quote struct {
	Insurer string `json:"insurer"`
	Cents   int    `json:"cents"`
}

// broker asks insurers.
type broker struct {
	address string
	client  *http.Client
}

// ask has the quote of an insurer.
func (b *broker) ask(ctx context.Context, insurer, car string) (quote, error) {
	out := quote{Insurer: insurer}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+b.address+"/"+insurer+"/"+car, http.NoBody)
	if err != nil {
		return out, err
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return out, fmt.Errorf("%s: %s", insurer, resp.Status)
	}
	return out, json.NewDecoder(resp.Body).Decode(&out)
}

func (b *broker) quotes(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	var group multierror.Group
	all := make([]quote, len(insurers))
	for i, in := range insurers {
		group.Go(func() error {
			var err error
			all[i], err = b.ask(ctx, in.name, r.PathValue("car"))
			return err
		})
	}
	if err := group.Wait().ErrorOrNil(); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(all)
}

func main() {
	if os.Getenv("ROLE") == "insurers" {
		answer()
		return
	}
	b := &broker{service.Beside("insurers"), &http.Client{Transport: &http.Transport{MaxIdleConns: 256, MaxIdleConnsPerHost: 256}}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /cars/{car}/quotes", b.quotes)
	service.Run(mux)
}

// answer is the insurers.
func answer() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	for _, in := range insurers {
		mux.HandleFunc("GET /"+in.name+"/{car}", func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(in.late)
			json.NewEncoder(w).Encode(quote{in.name, 30_000 + len(r.PathValue("car"))*711})
		})
	}
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
