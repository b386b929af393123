// Orders of a marketplace: what happens to an order is written into the journal of its seller, a file that is begun
// anew when it is large, of which the last few are kept.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"

	"gopkg.in/natefinch/lumberjack.v2"

	"wild/service"
)

type order struct {
	ID    uint64 `json:"id"`
	Lines []struct {
		SKU   string `json:"sku"`
		N     int    `json:"n"`
		Cents int64  `json:"cents"`
	} `json:"lines"`
	To string `json:"to"`
}

// market takes orders.
type market struct {
	dir    string
	ids    atomic.Uint64
	cents  atomic.Int64
	orders atomic.Int64

	mu       sync.Mutex
	journals map[string]*lumberjack.Logger
}

func (m *market) open(seller string) *lumberjack.Logger {
	return &lumberjack.Logger{Filename: filepath.Join(m.dir, seller+".log"), MaxSize: 50, MaxBackups: 3, MaxAge: 30}
}

// journal is a seller's, and what is to be done when it has been written to.
func (m *market) journal(seller string) (*lumberjack.Logger, func() error) {
	if !service.After() {
		l := m.open(seller)
		return l, l.Close
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	l, ok := m.journals[seller]
	if !ok {
		l = m.open(seller)
		m.journals[seller] = l
	}
	return l, func() error { return nil }
}

func (m *market) take(seller string, o order) (order, error) {
	o.ID = m.ids.Add(1)
	file, done := m.journal(seller)
	journal := slog.New(slog.NewJSONHandler(file, nil)).With("seller", seller, "order", o.ID)
	var cents int64
	for _, l := range o.Lines {
		cents += int64(l.N) * l.Cents
	}
	journal.Info("taken", "lines", len(o.Lines), "cents", cents, "to", o.To)
	if cents > 100000 {
		journal.Warn("to be looked at", "why", "it is large", "cents", cents)
	}
	m.cents.Add(cents)
	m.orders.Add(1)
	return o, done()
}

var sellers = regexp.MustCompile(`^[a-z][a-z0-9-]{1,30}$`)

func read(r *http.Request) (o order, err error) {
	if err := json.NewDecoder(io.LimitReader(r.Body, 32<<10)).Decode(&o); err != nil {
		return o, err
	}
	if len(o.Lines) == 0 || o.To == "" {
		return o, errors.New("an order has lines and a to")
	}
	for _, l := range o.Lines {
		if l.SKU == "" || l.N < 1 || l.Cents < 0 {
			return o, fmt.Errorf("a line has a sku, how many, and cents: %+v", l)
		}
	}
	return o, nil
}

func main() {
	dir, err := os.MkdirTemp("", "journals")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	m := &market{dir: dir, journals: map[string]*lumberjack.Logger{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sellers/{seller}/orders", func(w http.ResponseWriter, r *http.Request) {
		seller := r.PathValue("seller")
		if !sellers.MatchString(seller) {
			http.Error(w, "no such seller", http.StatusNotFound)
			return
		}
		o, err := read(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if o, err = m.take(seller, o); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		json.NewEncoder(w).Encode(o)
	})
	mux.HandleFunc("GET /turnover", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"orders":%d,"cents":%d}`, m.orders.Load(), m.cents.Load())
	})
	service.Run(mux)
}
