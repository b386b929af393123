package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// desk takes orders as services do that have to ask around: it asks another server
// for the stock and then for the price, writes the order down under a lock, and
// sends a packet for each of its counters. Three of the four can be done with less.
type desk struct {
	setup
	client *http.Client
	ask    string // URL
	count  net.Conn
	form   order // that everybody sends
	book   book
}

// The fixes of a desk.
const (
	fixPrice  = "price"  // the price is known: one question less
	fixEncode = "encode" // the order is encoded before the lock is taken
	fixCount  = "count"  // all counters in one packet
)

const counters = 20 // that a request counts up

func deskFixes() []string { return []string{fixPrice, fixEncode, fixCount} }

func newDesk(ctx context.Context, s setup) (http.Handler, error) {
	near, err := nearServer(ctx, s)
	if err != nil {
		return nil, err
	}
	d := &desk{setup: s, form: newOrder(), client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}}
	if d.ask, err = orInside(ctx, s.downstream, near); err != nil {
		return nil, err
	}
	d.count, err = nobody(ctx)
	return d, err
}

// nobody returns a connection to a socket that is never read: the kernel drops what
// has no room.
func nobody(ctx context.Context) (net.Conn, error) {
	sink, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for counters: %w", err)
	}
	conn, err := net.Dial("udp", sink.LocalAddr().String())
	if err != nil {
		sink.Close()
		return nil, fmt.Errorf("reach the socket for counters: %w", err)
	}
	context.AfterFunc(ctx, func() { conn.Close(); sink.Close() })
	return conn, nil
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := d.stock(r.Context())
	if err == nil && !d.has(fixPrice) {
		err = d.price(r.Context())
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	size, err := d.write(d.form)
	if err == nil {
		err = d.counted()
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, "order of", size, "bytes")
}

func (d *desk) stock(ctx context.Context) error { return ask(ctx, d.client, d.ask, readAll) }

func (d *desk) price(ctx context.Context) error { return ask(ctx, d.client, d.ask, readAll) }

func (d *desk) write(o order) (int, error) {
	if d.has(fixEncode) {
		return d.book.encodeAndAdd(o)
	}
	return d.book.add(o)
}

// counted sends the counters.
func (d *desk) counted() error {
	var all bytes.Buffer
	for i := range counters {
		fmt.Fprintf(&all, "order.step.%02d:1|c\n", i)
		if d.has(fixCount) && i+1 < counters {
			continue
		}
		if _, err := d.count.Write(all.Bytes()); err != nil {
			return fmt.Errorf("send counters: %w", err)
		}
		all.Reset()
	}
	return nil
}

type order struct {
	Lines []orderLine `json:"lines"`
}

type orderLine struct {
	Code  string    `json:"code"`
	Count int       `json:"count"`
	Price float64   `json:"price"`
	At    time.Time `json:"at"`
}

// newOrder has 400 lines.
func newOrder() order {
	var o order
	for i := range 400 {
		o.Lines = append(o.Lines, orderLine{Code: fmt.Sprintf("product-%06d", i), Count: i%3 + 1, Price: float64(i) + 0.99, At: time.Unix(1e9+int64(i), 0).UTC()})
	}
	return o
}

// book keeps the last order.
type book struct {
	mu   sync.Mutex
	last []byte
	n    int
}

// add holds the lock while it encodes.
func (b *book) add(o order) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text, err := json.Marshal(o)
	if err != nil {
		return 0, fmt.Errorf("encode the order: %w", err)
	}
	b.last, b.n = text, b.n+1
	return len(text), nil
}

// encodeAndAdd holds the lock for the book alone.
func (b *book) encodeAndAdd(o order) (int, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return 0, fmt.Errorf("encode the order: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last, b.n = text, b.n+1
	return len(text), nil
}
