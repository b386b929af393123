// Invoices of a wholesaler: each line of a delivery is priced for its customer, taxed for the country it goes to, and what
// is odd about it is written to the log, with the line that it is of.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync/atomic"

	"wild/service"
)

type key int

const (
	keyCustomer key = iota
	keyCountry
	keyLog
	keyLine
)

// customer has a discount, in thousandths.
type customer struct {
	name     string
	discount int
}

// line is a part of a delivery.
type line struct {
	article string
	count   int
	cents   int
}

// journal counts what was odd.
type journal struct{ odd atomic.Int64 }

func (j *journal) note(ctx context.Context, what string) {
	if l, ok := ctx.Value(keyLine).(string); ok && l != "" && what != "" {
		j.odd.Add(1)
	}
}

func logOf(ctx context.Context) *journal { j, _ := ctx.Value(keyLog).(*journal); return j }

// price is what a line costs the customer of ctx.
func price(ctx context.Context, l line) (int, error) {
	c, ok := ctx.Value(keyCustomer).(*customer)
	if !ok {
		return 0, errors.New("no customer")
	}
	if l.count > 900 {
		logOf(ctx).note(ctx, "a large count")
	}
	return l.cents * l.count * (1000 - c.discount) / 1000, nil
}

var rates = map[string]int{"DE": 19, "FR": 20, "SE": 25, "CH": 8}

// tax is that of the country of ctx.
func tax(ctx context.Context, cents int) int {
	country, _ := ctx.Value(keyCountry).(string)
	rate, ok := rates[country]
	if !ok {
		logOf(ctx).note(ctx, "no rate")
	}
	return cents * rate / 100
}

// priced is a line of an invoice.
type priced struct {
	Article string `json:"article"`
	Cents   int    `json:"cents"`
	Tax     int    `json:"tax"`
}

// lines prices a delivery.
func lines(ctx context.Context, delivery []line) ([]priced, error) {
	out := make([]priced, 0, len(delivery))
	for i, l := range delivery {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var p priced
		var err error
		if service.After() {
			p, err = one(context.WithValue(ctx, keyLine, l.article), l)
		} else {
			ctx = context.WithValue(ctx, keyLine, l.article)
			p, err = one(ctx, l)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i, err)
		}
		out = append(out, p)
	}
	return out, nil
}

func one(ctx context.Context, l line) (priced, error) {
	cents, err := price(ctx, l)
	if err != nil {
		return priced{}, err
	}
	return priced{l.article, cents, tax(ctx, cents)}, nil
}

// wholesaler has deliveries, and customers.
type wholesaler struct {
	customers []*customer
	log       journal
}

// delivery is one of a customer: from 250 to 449 lines.
func delivery(n int) []line {
	out := make([]line, 250+n*37%200)
	for i := range out {
		out[i] = line{"A" + strconv.Itoa(10000+n*100+i), (n*i)%1000 + 1, (i*31+n)%9000 + 99}
	}
	return out
}

// invoice adds up a delivery.
func (s *wholesaler) invoice(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("delivery"))
	if err != nil || n < 1 {
		http.NotFound(w, r)
		return
	}
	ctx := context.WithValue(r.Context(), keyLog, &s.log)
	ctx = context.WithValue(ctx, keyCustomer, s.customers[n%len(s.customers)])
	ctx = context.WithValue(ctx, keyCountry, r.FormValue("to"))
	all, err := lines(ctx, delivery(n))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var cents, taxes int
	for _, p := range all {
		cents, taxes = cents+p.Cents, taxes+p.Tax
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"customer": s.customers[n%len(s.customers)].name, "lines": len(all), "cents": cents, "tax": taxes, "dearest": dearest(all),
	})
}

// dearest is the line that costs most.
func dearest(all []priced) priced {
	var out priced
	for _, p := range all {
		if p.Cents > out.Cents {
			out = p
		}
	}
	return out
}

func main() {
	s := &wholesaler{}
	for i := range 30 {
		s.customers = append(s.customers, &customer{"customer " + strconv.Itoa(i), i * 7})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /deliveries/{delivery}/invoice", s.invoice)
	mux.HandleFunc("GET /odd", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, s.log.odd.Load()) })
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}
