// Orders with their products and the suppliers of these, each read from the store by a
// loader that asks for many at once. The store, a process of its own, takes 1 ms.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"wild/service"
)

// record is what the store has under a key: an order with its products, a product with its
// supplier, or a supplier.
type record struct {
	Kind  string `json:"kind"`
	Key   int    `json:"key"`
	Name  string `json:"name"`
	Links []int  `json:"links,omitempty"`
}

type store struct {
	client  *http.Client
	address string
}

// loader returns one for this kind, which lives as long as a request does.
func (s store) loader(kind string) *dataloader.Loader[int, record] {
	var options []dataloader.Option[int, record]
	if service.After() {
		options = append(options, dataloader.WithWait[int, record](time.Millisecond))
	}
	return dataloader.NewBatchedLoader(func(ctx context.Context, keys []int) []*dataloader.Result[record] {
		out := make([]*dataloader.Result[record], len(keys))
		found, err := s.read(ctx, kind, keys)
		for i := range out {
			out[i] = &dataloader.Result[record]{Error: err}
			if err == nil {
				out[i].Data = found[i]
			}
		}
		return out
	}, options...)
}

func (s store) read(ctx context.Context, kind string, keys []int) ([]record, error) {
	body, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address+"/"+kind, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var found []record
	if err := json.NewDecoder(resp.Body).Decode(&found); err != nil {
		return nil, err
	}
	if len(found) != len(keys) {
		return nil, errors.New(kind + ": some are missing")
	}
	return found, nil
}

func main() {
	if os.Getenv("ROLE") == "store" {
		serve()
		return
	}
	s := store{
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		address: "http://" + service.Beside("store"),
	}
	http.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		number, err := strconv.Atoi(r.FormValue("number"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		out, err := s.order(r.Context(), number)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}

func (s store) order(ctx context.Context, number int) (map[string]any, error) {
	order, err := s.loader("order").Load(ctx, number)()
	if err != nil {
		return nil, err
	}
	products, errs := s.loader("product").LoadMany(ctx, order.Links)()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var makers []int
	for _, p := range products {
		makers = append(makers, p.Links...)
	}
	suppliers, errs := s.loader("supplier").LoadMany(ctx, makers)()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return map[string]any{"order": order, "products": products, "suppliers": suppliers}, nil
}

func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var keys []int
		if err := json.NewDecoder(r.Body).Decode(&keys); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(time.Millisecond)
		kind := r.URL.Path[1:]
		found := make([]record, len(keys))
		for i, k := range keys {
			found[i] = record{Kind: kind, Key: k, Name: fmt.Sprint(kind, " ", k)}
			switch kind {
			case "order":
				for j := range 6 {
					found[i].Links = append(found[i].Links, k*10+j)
				}
			case "product":
				found[i].Links = []int{k % 100}
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
