// Exports of a catalogue that lies in memory: the articles of a category, cheapest first, as CSV. An
// export needs some memory for a moment, and somebody wanted it to be given back at once.
package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"wild/service"
)

type offer struct {
	seller string
	cents  int64
}

type article struct {
	sku      string
	title    string
	category string
	tags     []string
	offers   []*offer
}

func (a *article) cheapest() *offer {
	return slices.MinFunc(a.offers, func(x, y *offer) int { return cmp.Compare(x.cents, y.cents) })
}

// catalogue is written when a seller changes a price.
type catalogue struct {
	mu       sync.RWMutex
	articles map[string]*article
	category map[string][]*article
}

func (c *catalogue) add(a *article) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.articles[a.sku] = a
	c.category[a.category] = append(c.category[a.category], a)
}

// row is an article as it is exported.
type row struct {
	sku, title, seller string
	cents              int64
}

func (c *catalogue) rows(category string) []row {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var rows []row
	for _, a := range c.category[category] {
		o := a.cheapest()
		rows = append(rows, row{a.sku, a.title, o.seller, o.cents})
	}
	return rows
}

func (c *catalogue) export(category string) ([]byte, error) {
	rows := c.rows(category)
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.cents, b.cents) })
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{"sku", "title", "seller", "price"})
	for _, r := range rows {
		w.Write([]string{r.sku, r.title, r.seller, strconv.FormatFloat(float64(r.cents)/100, 'f', 2, 64)})
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// release gives back what an export has used.
func release() {
	if service.After() {
		return // the collector does it when it is worth it
	}
	runtime.GC()
}

func main() {
	c := fill(60_000)
	http.HandleFunc("GET /export/{category}", func(w http.ResponseWriter, r *http.Request) {
		out, err := c.export(r.PathValue("category"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if len(out) < 100 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		w.Write(out)
		release()
	})
	service.Run(http.DefaultServeMux)
}

func fill(n int) *catalogue {
	c := &catalogue{articles: map[string]*article{}, category: map[string][]*article{}}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		a := &article{sku: fmt.Sprintf("A-%06d", i), title: fmt.Sprintf("article %d, %s", i, []string{"red", "oak", "steel"}[i%3]), category: fmt.Sprintf("k%d", i%200)}
		for t := range 4 {
			a.tags = append(a.tags, fmt.Sprintf("tag-%d-%d", t, rng.IntN(500)))
		}
		for range 5 {
			a.offers = append(a.offers, &offer{fmt.Sprintf("seller-%d", rng.IntN(900)), 100 + rng.Int64N(90_000)})
		}
		c.add(a)
	}
	return c
}
