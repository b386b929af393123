// Seats of a cinema: a seat is taken at the chain's server, a process elsewhere, which is busy for some of those that ask, and says so; they
// are to come again.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/sethvargo/go-retry"

	"wild/service"
)

// cinema takes seats.
type cinema struct {
	client *http.Client
	chain  string
}

// backoff is how long to wait before each try but the first.
func backoff() retry.Backoff {
	b := retry.NewExponential(30 * time.Millisecond)
	if service.After() {
		b = retry.WithCappedDuration(30*time.Millisecond, b)
	}
	return retry.WithMaxRetries(9, b)
}

// take has a seat taken.
func (c *cinema) take(ctx context.Context, seat string) (int, error) {
	tries := 0
	err := retry.Do(ctx, backoff(), func(ctx context.Context) error {
		tries++
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.chain+"/seats/"+seat, nil)
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
		if resp.StatusCode == http.StatusServiceUnavailable {
			return retry.RetryableError(fmt.Errorf("the chain is busy"))
		}
		return nil
	})
	return tries, err
}

func (c *cinema) serve(w http.ResponseWriter, r *http.Request) {
	tries, err := c.take(r.Context(), r.PathValue("seat"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"seat": r.PathValue("seat"), "tries": tries})
}

func main() {
	if os.Getenv("ROLE") == "chain" {
		chain()
		return
	}
	c := &cinema{
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}, Timeout: 5 * time.Second},
		chain:  "http://" + service.Beside("chain"),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /seats/{seat}", c.serve)
	service.Run(mux)
}

// chain is busy for one of three.
func chain() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(2 * time.Millisecond)
		if rand.IntN(3) == 0 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "yours")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
