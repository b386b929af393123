// Hooks of a payment provider: an event is checked, matched with its order and booked. Each request
// has a logger of its own that knows the event; what it says of every step is below the level that
// is written, which the operators lower when they look for something.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"wild/service"
)

type item struct {
	SKU   string `json:"sku"`
	Name  string `json:"name"`
	Count int64  `json:"count"`
	Cents int64  `json:"cents"`
}

type party struct {
	Name    string `json:"name"`
	Street  string `json:"street"`
	City    string `json:"city"`
	Country string `json:"country"`
}

type event struct {
	ID       string            `json:"id"`
	Type     string            `json:"type"`
	Created  int64             `json:"created"`
	Order    string            `json:"order"`
	Currency string            `json:"currency"`
	Payer    party             `json:"payer"`
	ShipTo   party             `json:"ship_to"`
	Items    []item            `json:"items"`
	Meta     map[string]string `json:"meta"`
}

// MarshalLogObject writes what an event is about.
func (e event) MarshalLogObject(enc zapcore.ObjectEncoder) error {
	enc.AddString("id", e.ID)
	enc.AddString("type", e.Type)
	enc.AddTime("created", time.Unix(e.Created, 0))
	enc.AddString("order", e.Order)
	enc.AddString("currency", e.Currency)
	enc.AddInt("items", len(e.Items))
	return nil
}

func (e event) check() error {
	if e.ID == "" || e.Order == "" || len(e.Items) == 0 {
		return fmt.Errorf("an event has an id, an order and items")
	}
	for i, it := range e.Items {
		if it.Count < 1 || it.Cents < 0 {
			return fmt.Errorf("item %d: %d pieces, %d cents", i, it.Count, it.Cents)
		}
	}
	return nil
}

// book holds what was paid for an order.
type book struct {
	mu   sync.Mutex
	paid map[string]int64
	seen map[string]bool
}

func (b *book) enter(l *zap.Logger, e event) int64 {
	l = with(l, zap.String("component", "book"), zap.String("order", e.Order), zap.Any("items", e.Items))
	var sum int64
	for _, it := range e.Items {
		sum += it.Count * it.Cents
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seen[e.ID] {
		l.Debug("seen before")
		return b.paid[e.Order]
	}
	b.seen[e.ID] = true
	b.paid[e.Order] += sum
	l.Debug("booked", zap.Int64("cents", sum), zap.Int64("paid", b.paid[e.Order]))
	return b.paid[e.Order]
}

// with is a logger that says these fields with each line.
func with(l *zap.Logger, fields ...zap.Field) *zap.Logger {
	if service.After() {
		return l.WithLazy(fields...)
	}
	return l.With(fields...)
}

type key struct{}

// logged gives a request its logger.
func logged(base *zap.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l := with(base, zap.String("method", r.Method), zap.String("path", r.URL.Path), zap.String("remote", r.RemoteAddr), zap.Any("header", r.Header))
		l.Debug("start")
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, l)))
		l.Debug("end")
	})
}

func main() {
	config := zap.NewProductionConfig()
	config.DisableCaller = true
	base, err := config.Build()
	if err != nil {
		log.Fatal(err)
	}
	defer base.Sync()
	b := &book{paid: map[string]int64{}, seen: map[string]bool{}}
	hook := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l := r.Context().Value(key{}).(*zap.Logger)
		var e event
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&e); err != nil {
			l.Info("not read", zap.Error(err))
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		l = with(l, zap.Object("event", e), zap.Any("payer", e.Payer), zap.Any("ship_to", e.ShipTo), zap.Any("meta", e.Meta))
		if err := e.check(); err != nil {
			l.Warn("not taken", zap.Error(err))
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		l.Debug("checked")
		paid := b.enter(l, e)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"event": e.ID, "order": e.Order, "paid": paid})
	})
	http.Handle("POST /hooks/payment", logged(base, hook))
	service.Run(http.DefaultServeMux)
}
