// A shop's baskets: the total of one, each of its lines priced with samber/lo.
package main

import (
	"encoding/json"
	"net/http"
	"sync/atomic"

	"github.com/samber/lo"
	lop "github.com/samber/lo/parallel"

	"wild/service"
)

type line struct {
	sku   int
	count int
	price int // of one, in cents
}

const (
	baskets = 200
	lines   = 300
)

// price is what a line costs: ten of a kind are cheaper.
func price(l line, _ int) int {
	p := l.price * l.count
	if l.count >= 10 {
		p = p * 9 / 10
	}
	return p
}

func main() {
	all := make([][]line, baskets)
	for i := range all {
		for j := range lines {
			all[i] = append(all[i], line{sku: i*lines + j, count: (i+j)%14 + 1, price: j*37%5000 + 99})
		}
	}
	priced := func(of []line) []int { return lop.Map(of, price) }
	if service.After() {
		priced = func(of []line) []int { return lo.Map(of, price) }
	}
	var seq atomic.Int64
	http.HandleFunc("/total", func(w http.ResponseWriter, r *http.Request) {
		basket := all[seq.Add(1)%baskets]
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int{"lines": len(basket), "total": lo.Sum(priced(basket))})
	})
	service.Run(http.DefaultServeMux)
}
