// Invoices are taken in, added up by the rate of their tax, and given back with their totals.
// When there was a leak in spring, the heap profile was made to show each allocation.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"

	"wild/service"
)

type invoice struct {
	Customer string            `json:"customer"`
	Address  map[string]string `json:"address"`
	Lines    []struct {
		Article string   `json:"article"`
		Cents   int      `json:"cents"`
		Count   int      `json:"count"`
		Tax     int      `json:"tax"`
		Notes   []string `json:"notes"`
	} `json:"lines"`
}

type total struct {
	Tax   int    `json:"tax"`
	Net   string `json:"net"`
	Gross string `json:"gross"`
}

func main() {
	if !service.After() {
		runtime.MemProfileRate = 1
	}
	http.HandleFunc("/invoices", take)
	service.Run(http.DefaultServeMux)
}

func take(w http.ResponseWriter, r *http.Request) {
	var in invoice
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sums := make(map[int]int)
	var names []string
	for _, l := range in.Lines {
		sums[l.Tax] += l.Cents * l.Count
		names = append(names, strings.ToUpper(l.Article)+" "+strings.Join(l.Notes, "; "))
	}
	var totals []total
	for tax, net := range sums {
		totals = append(totals, total{tax, money(net), money(net * (100 + tax) / 100)})
	}
	slices.SortFunc(totals, func(x, y total) int { return x.Tax - y.Tax })
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"customer": in.Customer, "city": in.Address["city"], "lines": names, "totals": totals})
}

func money(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
