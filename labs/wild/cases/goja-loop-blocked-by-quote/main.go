// Prices of shops: each shop says in JavaScript what sending an order costs, and may ask its carrier for a quote, whose
// system is slow. Scripts run on an event loop, as in a browser.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/eventloop"

	"wild/service"
)

// order is what is sent.
type order struct {
	Shop  string  `json:"shop"`
	To    string  `json:"to"`
	Kilos float64 `json:"kilos"`
	Cents int     `json:"cents"`
}

const script = `
const rules = {
	books: async o => o.cents > 5000 ? 0 : Math.round((await quote(o.to, o.kilos)) * 0.9),
	lamps: async o => { const q = await quote(o.to, o.kilos + 0.4); return q < 500 ? 500 : q; },
	bikes: async o => Math.max(await quote(o.to, o.kilos), 2900) + (o.to === "IS" ? 4000 : 0),
};
function price(o, done, failed) {
	const rule = rules[o.shop];
	if (!rule) { failed("no such shop"); return; }
	rule(o).then(done, e => failed(String(e)));
}`

// shops run the scripts.
type shops struct {
	loop    *eventloop.EventLoop
	price   goja.Callable
	carrier string
	client  *http.Client
}

func open(carrier string) (*shops, error) {
	s := &shops{loop: eventloop.NewEventLoop(), carrier: carrier, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}}
	s.loop.Start()
	ready := make(chan error, 1)
	s.loop.RunOnLoop(func(vm *goja.Runtime) {
		if service.After() {
			vm.Set("quote", func(to string, kilos float64) *goja.Promise { return s.quoteLater(vm, to, kilos) })
		} else {
			vm.Set("quote", s.quote)
		}
		_, err := vm.RunString(script)
		s.price, _ = goja.AssertFunction(vm.Get("price"))
		ready <- err
	})
	return s, <-ready
}

// quote asks the carrier, in cents.
func (s *shops) quote(to string, kilos float64) (int, error) {
	resp, err := s.client.Get(fmt.Sprintf("http://%s/quote?to=%s&kilos=%g", s.carrier, url.QueryEscape(to), kilos))
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(data))
}

// quoteLater is a promise of a quote, which is waited for beside the loop.
func (s *shops) quoteLater(vm *goja.Runtime, to string, kilos float64) *goja.Promise {
	p, resolve, reject := vm.NewPromise()
	go func() {
		cents, err := s.quote(to, kilos)
		s.loop.RunOnLoop(func(*goja.Runtime) {
			if err != nil {
				reject(err.Error())
			} else {
				resolve(cents)
			}
		})
	}()
	return p
}

// cost is what sending an order costs, in cents.
func (s *shops) cost(o order) (cents int64, err error) {
	type result struct {
		cents int64
		err   error
	}
	out := make(chan result, 1)
	s.loop.RunOnLoop(func(vm *goja.Runtime) {
		done := func(cents int64) { out <- result{cents: cents} }
		failed := func(why string) { out <- result{err: errors.New(why)} }
		in := map[string]any{"shop": o.Shop, "to": o.To, "kilos": o.Kilos, "cents": o.Cents}
		if _, err := s.price(goja.Undefined(), vm.ToValue(in), vm.ToValue(done), vm.ToValue(failed)); err != nil {
			out <- result{err: err}
		}
	})
	got := <-out
	return got.cents, got.err
}

func main() {
	if os.Getenv("ROLE") == "carrier" {
		serveCarrier()
		return
	}
	s, err := open(service.Beside("carrier"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /cost", func(w http.ResponseWriter, r *http.Request) {
		var o order
		if err := json.NewDecoder(r.Body).Decode(&o); err != nil || o.Kilos <= 0 {
			http.Error(w, "an order has a shop and a weight", http.StatusBadRequest)
			return
		}
		cents, err := s.cost(o)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"cents": cents, "to": o.To})
	})
	service.Run(mux)
}

// serveCarrier is the carrier's system, which takes 7 ms.
func serveCarrier() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /quote", func(w http.ResponseWriter, r *http.Request) {
		kilos, err := strconv.ParseFloat(r.FormValue("kilos"), 64)
		if err != nil {
			http.Error(w, "kilos is a number", http.StatusBadRequest)
			return
		}
		time.Sleep(7 * time.Millisecond)
		fmt.Fprint(w, 390+int(kilos*120)+len(r.FormValue("to"))*10)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
