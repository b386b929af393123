// A catalogue that is kept in memory, some 85 MiB, and a memory limit that was set when it
// was smaller.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"wild/service"
)

const products = 400_000

type product struct {
	ID   int      `json:"id"`
	Name string   `json:"name"`
	Tags []string `json:"tags"`
}

func main() {
	limit := int64(100 << 20)
	if service.After() {
		limit = 512 << 20
	}
	debug.SetMemoryLimit(limit) // GOMEMLIMIT of the container

	all := make([]*product, products)
	for i := range all {
		all[i] = &product{ID: i, Name: fmt.Sprint("product ", i), Tags: []string{
			fmt.Sprint("brand ", i%5000), fmt.Sprint("shelf ", i%777), fmt.Sprint("season ", i%4), fmt.Sprint("line ", i%9999),
		}}
	}
	var seq atomic.Int64
	http.HandleFunc("/search", func(w http.ResponseWriter, r *http.Request) {
		n := int(seq.Add(1)) * 7919 % products
		var found []product
		for i := range 20 {
			p := *all[(n+i*31)%products]
			p.Tags = append([]string(nil), p.Tags...)
			for j, t := range p.Tags {
				p.Tags[j] = strings.ToUpper(t)
			}
			found = append(found, p)
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	})
	service.Run(http.DefaultServeMux)
}
