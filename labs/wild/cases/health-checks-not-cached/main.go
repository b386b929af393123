// Kiosks of a cinema chain ask whether selling is possible before each sale: the bank, the seats and the printer server are checked,
// which takes some milliseconds; they run as a process of their own. What is on is shown too.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/alexliesenfeld/health"

	"wild/service"
)

// partners are what a sale needs, and how long their answer takes.
var partners = map[string]time.Duration{"bank": 9 * time.Millisecond, "seats": 5 * time.Millisecond, "printers": 3 * time.Millisecond}

// chain can sell or cannot.
type chain struct {
	client  *http.Client
	checker health.Checker
}

func open(address string) *chain {
	c := &chain{client: &http.Client{Timeout: 3 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	var opts []health.CheckerOption
	if !service.After() {
		opts = append(opts, health.WithDisabledCache()) // a sale must not be started with a bank that is gone
	}
	for name := range partners {
		check := health.Check{Name: name, Timeout: 2 * time.Second, Check: func(ctx context.Context) error { return c.ask(ctx, "http://"+address+"/"+name) }}
		if service.After() {
			opts = append(opts, health.WithPeriodicCheck(500*time.Millisecond, 0, check))
		} else {
			opts = append(opts, health.WithCheck(check))
		}
	}
	c.checker = health.NewChecker(opts...)
	return c
}

// ask says whether a partner is well.
func (c *chain) ask(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, resp.Status)
	}
	return nil
}

// selling says whether a kiosk may sell.
func (c *chain) selling(w http.ResponseWriter, r *http.Request) {
	result := c.checker.Check(r.Context())
	if result.Status != health.StatusUp {
		http.Error(w, "closed", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintf(w, "kiosk %s may sell, %d partners are well\n", r.PathValue("kiosk"), len(result.Details))
}

func main() {
	if os.Getenv("ROLE") == "partners" {
		answer()
		return
	}
	c := open(service.Beside("partners"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /kiosks/{kiosk}/selling", c.selling)
	mux.Handle("GET /health", health.NewHandler(c.checker))
	mux.HandleFunc("GET /films", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "Metropolis\nNosferatu\nM") })
	service.Run(mux)
}

// answer is the partners.
func answer() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	for name, late := range partners {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(late)
			fmt.Fprintln(w, "well")
		})
	}
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
