// Prices of a wholesaler: what a customer pays is worked out from price lists and discounts, which are in a cache in
// Redis that all servers share. Redis is a process of its own, 1 ms away.
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
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/go-redis/cache/v9"
	"github.com/redis/go-redis/v9"

	"wild/service"
)

// list is a price list.
type list struct {
	Name   string
	Cents  map[string]int64
	Groups map[string]string
}

// discount is what a customer has on a group of articles.
type discount struct {
	Customer string
	Percent  map[string]int64
}

// line is a price that is shown.
type line struct {
	SKU   string `json:"sku"`
	Cents int64  `json:"cents"`
	Off   int64  `json:"off,omitempty"`
}

// desk works out prices.
type desk struct{ kept *cache.Cache }

func open(address string) *desk {
	o := &cache.Options{Redis: redis.NewClient(&redis.Options{Addr: address, PoolSize: 64, MinIdleConns: 16})}
	if service.After() {
		o.LocalCache = cache.NewTinyLFU(1000, time.Minute)
	}
	return &desk{cache.New(o)}
}

func (d *desk) list(ctx context.Context, name string) (l list, err error) {
	err = d.kept.Once(&cache.Item{Ctx: ctx, Key: "list:" + name, Value: &l, TTL: time.Hour, Do: func(*cache.Item) (any, error) {
		return readList(name), nil
	}})
	return l, err
}

func (d *desk) discount(ctx context.Context, customer string) (c discount, err error) {
	err = d.kept.Once(&cache.Item{Ctx: ctx, Key: "discount:" + customer, Value: &c, TTL: time.Hour, Do: func(*cache.Item) (any, error) {
		return discount{customer, map[string]int64{"tools": 12, "paint": int64(len(customer))}}, nil
	}})
	return c, err
}

// readList stands for the query that makes a list: it is made once an hour.
func readList(name string) list {
	l := list{Name: name, Cents: map[string]int64{}, Groups: map[string]string{}}
	for i := range 40 {
		sku := fmt.Sprintf("%s-%02d", name, i)
		l.Cents[sku], l.Groups[sku] = int64(499+i*113), []string{"tools", "paint", "wood"}[i%3]
	}
	return l
}

func (d *desk) prices(ctx context.Context, customer string, names []string) ([]line, error) {
	off, err := d.discount(ctx, customer)
	if err != nil {
		return nil, fmt.Errorf("discount of %s: %w", customer, err)
	}
	var out []line
	for _, name := range names {
		l, err := d.list(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", name, err)
		}
		for i := range 8 {
			sku := fmt.Sprintf("%s-%02d", name, i*5)
			cents, percent := l.Cents[sku], off.Percent[l.Groups[sku]]
			out = append(out, line{sku, cents - cents*percent/100, cents * percent / 100})
		}
	}
	return out, nil
}

func main() {
	if os.Getenv("ROLE") == "redis" {
		serveRedis()
		return
	}
	d := open(service.Beside("redis"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /customers/{customer}/prices", func(w http.ResponseWriter, r *http.Request) {
		names := strings.Split(r.FormValue("lists"), ",")
		if names[0] == "" || len(names) > 6 {
			http.Error(w, "lists are 1 to 6", http.StatusBadRequest)
			return
		}
		out, err := d.prices(r.Context(), r.PathValue("customer"), names)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"prices": out})
	})
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}

// serveRedis is a Redis behind a link that takes 1 ms each way.
func serveRedis() {
	m := miniredis.NewMiniRedis()
	if err := m.Start(); err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			near, err := ln.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", m.Addr())
			if err != nil {
				log.Fatal(err)
			}
			go service.Carry(far, near, time.Millisecond)
			go service.Carry(near, far, time.Millisecond)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
