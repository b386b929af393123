// What a parcel costs: the carrier writes its prices as a small script in Go, which it may change without a release, and each quote is
// computed by it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"

	"wild/service"
)

const script = `package prices

import "strings"

func Quote(zone string, grams int) int {
	cents := 390
	if grams > 2000 {
		cents += (grams - 2000) / 100 * 3
	}
	switch {
	case strings.HasPrefix(zone, "EU-"):
		cents = cents * 3 / 2
	case zone != "HOME":
		cents = cents*2 + 500
	}
	return cents
}
`

type quote func(zone string, grams int) int

// carrier has prices, where they are kept.
type carrier struct{ prices quote }

func open() (*carrier, error) {
	if !service.After() {
		return &carrier{}, nil
	}
	prices, err := load()
	return &carrier{prices}, err
}

// load has the script read.
func load() (quote, error) {
	i := interp.New(interp.Options{})
	if err := i.Use(stdlib.Symbols); err != nil {
		return nil, err
	}
	if _, err := i.Eval(script); err != nil {
		return nil, err
	}
	v, err := i.Eval("prices.Quote")
	if err != nil {
		return nil, err
	}
	prices, ok := v.Interface().(func(string, int) int)
	if !ok {
		return nil, fmt.Errorf("Quote is a %s", v.Type())
	}
	return prices, nil
}

func (c *carrier) quote(zone string, grams int) (int, error) {
	prices := c.prices
	if prices == nil {
		var err error
		if prices, err = load(); err != nil {
			return 0, err
		}
	}
	return prices(zone, grams), nil
}

func (c *carrier) serve(w http.ResponseWriter, r *http.Request) {
	grams, err := strconv.Atoi(r.URL.Query().Get("grams"))
	if err != nil || grams <= 0 {
		http.Error(w, "how heavy?", http.StatusBadRequest)
		return
	}
	cents, err := c.quote(r.PathValue("zone"), grams)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"zone": r.PathValue("zone"), "cents": cents})
}

func main() {
	c, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /quotes/{zone}", c.serve)
	service.Run(mux)
}
