// Products from memory, many of them. A watch over the memory of the process gives back to the
// system what is free.
package main

import (
	"encoding/json"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"wild/service"
)

type product struct {
	ID    int               `json:"id"`
	Name  string            `json:"name"`
	Price float64           `json:"price"`
	Attrs map[string]string `json:"attrs"`
}

const products = 600_000

func main() {
	all := make(map[string]*product, products)
	for i := range products {
		id := strconv.Itoa(i)
		all[id] = &product{ID: i, Name: "Product " + id, Price: float64(i%9000) / 100,
			Attrs: map[string]string{"colour": "c" + strconv.Itoa(i%11), "size": strconv.Itoa(i % 50), "shelf": id}}
	}
	if !service.After() {
		go watch()
	}
	var seq atomic.Int64
	http.HandleFunc("/product", func(w http.ResponseWriter, r *http.Request) {
		p := all[strconv.FormatInt(seq.Add(1)*7919%products, 10)]
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(p)
	})
	service.Run(http.DefaultServeMux)
}

func watch() {
	for range time.Tick(200 * time.Millisecond) {
		debug.FreeOSMemory()
	}
}
