// What customs take for a parcel: an office elsewhere says, which takes 30 ms, and is asked again where it fails, which it does not today.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/sethvargo/go-retry"

	"wild/service"
)

var errBusy = errors.New("the office is busy")

// declaration is what is said of a parcel.
type declaration struct {
	Goods string `json:"goods"`
	From  string `json:"from"`
	Cents int    `json:"cents"`
	Tax   int    `json:"tax"`
}

// desk asks customs.
type desk struct {
	client *http.Client
	office string
}

func open(address string) *desk {
	return &desk{
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		office: "http://" + address,
	}
}

// ask asks once.
func (d *desk) ask(ctx context.Context, q url.Values) (out declaration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.office+"/tax?"+q.Encode(), nil)
	if err != nil {
		return out, err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return out, retry.RetryableError(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		io.Copy(io.Discard, resp.Body)
		return out, retry.RetryableError(errBusy)
	}
	return out, json.NewDecoder(resp.Body).Decode(&out)
}

func (d *desk) serve(w http.ResponseWriter, r *http.Request) {
	q := url.Values{"goods": {r.PathValue("goods")}, "from": {r.URL.Query().Get("from")}}
	var out declaration
	again := retry.WithMaxRetries(3, retry.NewFibonacci(20*time.Millisecond))
	err := retry.Do(r.Context(), again, func(ctx context.Context) (err error) {
		out, err = d.ask(ctx, q)
		return err
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "customs" {
		customs()
		return
	}
	d := open(service.Beside("customs"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /goods/{goods}/tax", d.serve)
	service.Run(mux)
}

// customs answer late.
func customs() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(30 * time.Millisecond)
		goods, from := r.FormValue("goods"), r.FormValue("from")
		json.NewEncoder(w).Encode(declaration{goods, from, 4200, 190 + 10*len(goods)})
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
