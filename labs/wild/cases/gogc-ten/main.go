// Orders are taken in and priced with a list of articles that is kept in memory. The
// container was short of memory once, and the collector was told to run early.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"

	"wild/service"
)

const articles = 250_000

type article struct {
	Name  string
	Unit  string
	Cents int
}

type order struct {
	Customer string `json:"customer"`
	Note     string `json:"note"`
	Lines    []struct {
		SKU   string            `json:"sku"`
		Count int               `json:"count"`
		Attrs map[string]string `json:"attrs"`
	} `json:"lines"`
}

func main() {
	if !service.After() {
		debug.SetGCPercent(10)
	}
	list := make(map[string]*article, articles)
	for i := range articles {
		list["sku-"+strconv.Itoa(i)] = &article{Name: fmt.Sprint("article ", i), Unit: fmt.Sprint("unit ", i%50), Cents: i*31%9000 + 100}
	}
	http.HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) {
		var o order
		if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		total := 0
		for _, l := range o.Lines {
			a, ok := list[l.SKU]
			if !ok {
				http.Error(w, "no such article: "+l.SKU, http.StatusNotFound)
				return
			}
			total += a.Cents * l.Count
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"customer": o.Customer, "lines": len(o.Lines), "total": total})
	})
	service.Run(http.DefaultServeMux)
}
