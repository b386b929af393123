// Prices of a shop for spare parts: what a part costs today says the supplier, behind a circuit breaker; when it does not
// answer, the price is that of the wholesaler, which takes longer. Both are processes of their own.
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
	"strconv"
	"time"

	"github.com/afex/hystrix-go/hystrix"

	"wild/service"
)

type price struct {
	Part  int    `json:"part"`
	Cents int    `json:"cents"`
	From  string `json:"from"`
}

// counter sells parts.
type counter struct {
	base   string
	client *http.Client
}

func open(base string) *counter {
	settings := hystrix.CommandConfig{Timeout: 400, ErrorPercentThreshold: 60}
	if service.After() {
		settings.MaxConcurrentRequests = 200
	}
	hystrix.ConfigureCommand("supplier", settings)
	return &counter{"http://" + base, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}, Timeout: 2 * time.Second}}
}

// price is what a part costs.
func (c *counter) price(ctx context.Context, part int) (price, error) {
	var out price
	err := hystrix.DoC(ctx, "supplier",
		func(ctx context.Context) (err error) {
			out, err = c.ask(ctx, "supplier", part)
			return err
		},
		func(ctx context.Context, _ error) (err error) {
			out, err = c.ask(ctx, "wholesaler", part)
			return err
		})
	return out, err
}

func (c *counter) ask(ctx context.Context, of string, part int) (price, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/"+of+"/"+strconv.Itoa(part), http.NoBody)
	if err != nil {
		return price{}, err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return price{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return price{}, fmt.Errorf("%s: %s", of, resp.Status)
	}
	out := price{Part: part, From: of}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return price{}, err
	}
	return out, json.Unmarshal(data, &out)
}

func main() {
	if os.Getenv("ROLE") == "sellers" {
		serveSellers()
		return
	}
	c := open(service.Beside("sellers"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /parts/{part}/price", func(w http.ResponseWriter, r *http.Request) {
		part, err := strconv.Atoi(r.PathValue("part"))
		if err != nil || part <= 0 {
			http.Error(w, "a part is a number", http.StatusBadRequest)
			return
		}
		out, err := c.price(r.Context(), part)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}

// serveSellers is the supplier, which takes 20 ms for a price, and the wholesaler, which takes 150.
func serveSellers() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	after := func(wait time.Duration, share int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			part, _ := strconv.Atoi(r.PathValue("part"))
			time.Sleep(wait)
			fmt.Fprintf(w, `{"cents":%d}`, (part*37%9000+250)*share/100)
		}
	}
	http.HandleFunc("GET /supplier/{part}", after(20*time.Millisecond, 100))
	http.HandleFunc("GET /wholesaler/{part}", after(150*time.Millisecond, 118))
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
