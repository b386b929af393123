// The checkout of a shop: a basket is posted, and prices, taxes, what is in stock and what sending costs are asked of
// parts that get each other by injection.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"sync"

	"go.uber.org/dig"

	"wild/service"
)

type item struct {
	SKU   string `json:"sku"`
	Count int    `json:"count"`
}

type basket struct {
	Customer string `json:"customer"`
	Country  string `json:"country"`
	Items    []item `json:"items"`
}

type total struct {
	Goods    int64  `json:"goods"`
	Tax      int64  `json:"tax"`
	Sending  int64  `json:"sending"`
	Customer string `json:"customer"`
	Number   int    `json:"number"`
}

// store is what the shop has, for as long as it runs.
type store struct {
	mu     sync.Mutex
	cents  map[string]int64
	left   map[string]int
	rates  map[string]int64
	orders int
}

func newStore() *store {
	s := &store{cents: map[string]int64{}, left: map[string]int{}, rates: map[string]int64{"de": 19, "at": 20, "fr": 20, "ch": 8}}
	for i := range 500 {
		sku := fmt.Sprintf("sku-%03d", i)
		s.cents[sku], s.left[sku] = int64(199+i*37), 1<<40
	}
	return s
}

// The parts of a checkout. Each is of one request: its logger says whose.
type (
	prices struct {
		log *slog.Logger
		all *store
	}
	stock struct {
		log *slog.Logger
		all *store
	}
	taxes struct {
		log     *slog.Logger
		all     *store
		country string
	}
	sending struct {
		log     *slog.Logger
		country string
	}
	orders struct {
		log *slog.Logger
		all *store
	}
	checkout struct {
		prices  *prices
		stock   *stock
		taxes   *taxes
		sending *sending
		orders  *orders
	}
)

func newLogger(b basket) *slog.Logger            { return slog.With("customer", b.Customer) }
func newPrices(l *slog.Logger, s *store) *prices { return &prices{l, s} }
func newStock(l *slog.Logger, s *store) *stock   { return &stock{l, s} }
func newTaxes(l *slog.Logger, s *store, b basket) *taxes {
	return &taxes{l, s, b.Country}
}
func newSending(l *slog.Logger, b basket) *sending { return &sending{l, b.Country} }
func newOrders(l *slog.Logger, s *store) *orders   { return &orders{l, s} }
func newCheckout(p *prices, s *stock, t *taxes, d *sending, o *orders) *checkout {
	return &checkout{p, s, t, d, o}
}

// injected makes a checkout for a basket from a container of its own.
func injected(s *store, b basket) (*checkout, error) {
	c := dig.New()
	for _, make := range []any{
		func() *store { return s }, func() basket { return b },
		newLogger, newPrices, newStock, newTaxes, newSending, newOrders, newCheckout,
	} {
		if err := c.Provide(make); err != nil {
			return nil, err
		}
	}
	var out *checkout
	err := c.Invoke(func(co *checkout) { out = co })
	return out, err
}

// wired makes it by the same functions, called as they stand.
func wired(s *store, b basket) (*checkout, error) {
	l := newLogger(b)
	return newCheckout(newPrices(l, s), newStock(l, s), newTaxes(l, s, b), newSending(l, b), newOrders(l, s)), nil
}

func (p *prices) of(it item) (int64, error) {
	cents, ok := p.all.cents[it.SKU]
	if !ok || it.Count < 1 {
		p.log.Debug("refused", "sku", it.SKU)
		return 0, fmt.Errorf("%d of %q cannot be had", it.Count, it.SKU)
	}
	return cents * int64(it.Count), nil
}

func (s *stock) take(items []item) error {
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	for _, it := range items {
		if s.all.left[it.SKU] < it.Count {
			return fmt.Errorf("%s is sold out", it.SKU)
		}
		s.all.left[it.SKU] -= it.Count
	}
	return nil
}

func (o *orders) next() int {
	o.all.mu.Lock()
	defer o.all.mu.Unlock()
	o.all.orders++
	return o.all.orders
}

// sum is what an order costs.
func (c *checkout) sum(b basket) (t total, err error) {
	for _, it := range b.Items {
		cents, err := c.prices.of(it)
		if err != nil {
			return t, err
		}
		t.Goods += cents
	}
	if err := c.stock.take(b.Items); err != nil {
		return t, err
	}
	t.Tax = t.Goods * c.taxes.all.rates[c.taxes.country] / 100
	if t.Goods < 5000 || c.sending.country == "ch" {
		t.Sending = 490
	}
	t.Customer, t.Number = b.Customer, c.orders.next()
	return t, nil
}

func main() {
	s := newStore()
	open := injected
	if service.After() {
		open = wired
	}
	if _, err := open(s, basket{}); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var b basket
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&b); err != nil || len(b.Items) == 0 {
			http.Error(w, "a basket has items", http.StatusBadRequest)
			return
		}
		c, err := open(s, b)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		t, err := c.sum(b)
		if err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(t)
	})
	service.Run(http.DefaultServeMux)
}
