// Orders of a bakery: the kitchen's printer has its own part of the pool that all of the shop's work runs in, as have mails. The printers'
// server, a process elsewhere, takes 6 ms for a slip, and prints on as many printers as there are.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/alitto/pond/v2"

	"wild/service"
)

// order is what a guest wants.
type order struct {
	Table int      `json:"table"`
	Items []string `json:"items"`
}

// bakery has a pool for all work, and parts of it.
type bakery struct {
	work, slips pond.Pool
	client      *http.Client
	printers    string
}

func open(address string) *bakery {
	b := &bakery{
		work:     pond.NewPool(64),
		client:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		printers: "http://" + address + "/slips",
	}
	b.slips = b.work.NewSubpool(1)
	if service.After() {
		b.slips = b.work.NewSubpool(24)
	}
	return b
}

// print has a slip printed.
func (b *bakery) print(slip string) error {
	resp, err := b.client.Post(b.printers, "text/plain", strings.NewReader(slip))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the printer says %s", resp.Status)
	}
	return nil
}

func (b *bakery) serve(w http.ResponseWriter, r *http.Request) {
	var in order
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Items) == 0 {
		http.Error(w, "what is ordered?", http.StatusBadRequest)
		return
	}
	slip := fmt.Sprintf("table %d\n%s\n", in.Table, strings.Join(in.Items, "\n"))
	if err := b.slips.SubmitErr(func() error { return b.print(slip) }).Wait(); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w, "table %d: %d to come\n", in.Table, len(in.Items))
}

func main() {
	if os.Getenv("ROLE") == "printers" {
		printers()
		return
	}
	b := open(service.Beside("printers"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", b.serve)
	service.Run(mux)
}

// printers print.
func printers() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(6 * time.Millisecond)
		fmt.Fprintln(w, "printed")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
