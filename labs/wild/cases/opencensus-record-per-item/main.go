// The back end of tills: what was sold of a shelf is added up and taxed for a shop, and each line of it is
// measured with OpenCensus, by shop and by kind of till.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net/http"
	"strings"

	"go.opencensus.io/stats"
	"go.opencensus.io/stats/view"
	"go.opencensus.io/tag"

	"wild/service"
)

var (
	shop, till = tag.MustNewKey("shop"), tag.MustNewKey("till")

	sold   = stats.Int64("till/sold", "pieces sold", stats.UnitDimensionless)
	price  = stats.Float64("till/price", "price of a line", stats.UnitDimensionless)
	taxed  = stats.Float64("till/tax", "tax of a line", stats.UnitDimensionless)
	weight = stats.Int64("till/weight", "grams of a line", stats.UnitBytes)
)

func views() error {
	keys := []tag.Key{shop, till}
	spread := view.Distribution(0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
	return view.Register(
		&view.View{Name: "sold", Measure: sold, TagKeys: keys, Aggregation: view.Sum()},
		&view.View{Name: "lines", Measure: sold, TagKeys: keys, Aggregation: view.Count()},
		&view.View{Name: "price", Measure: price, TagKeys: keys, Aggregation: spread},
		&view.View{Name: "tax", Measure: taxed, TagKeys: keys, Aggregation: spread},
		&view.View{Name: "weight", Measure: weight, TagKeys: keys[:1], Aggregation: view.Sum()},
	)
}

// line is one of a shelf: an article, and how much of it went over the till since the last look.
type line struct {
	Article string
	Pieces  int64
	Price   float64
	Grams   int64
}

// shelf is what a till sold of a part of the catalogue.
type shelf struct {
	Shop, Till string
	Lines      []line
}

// ledger is what all tills sold, by shelf.
type ledger map[string][]line

func newLedger() ledger {
	l := ledger{}
	for s := range 40 {
		var lines []line
		for i := range 60 {
			kind := []string{"food", "book", "tool"}[(s+i)%3]
			lines = append(lines, line{fmt.Sprintf("%s-%d", kind, s*60+i), int64(1 + i%4), .99 + float64(i*s%97)*1.7, int64(80 + i*35)})
		}
		l[fmt.Sprint("r-", s)] = lines
	}
	return l
}

var errUnknown = errors.New("no such shelf")

func (l ledger) find(shop, till, name string) (shelf, error) {
	lines, ok := l[name]
	if !ok || shop == "" {
		return shelf{}, fmt.Errorf("%q of shop %q: %w", name, shop, errUnknown)
	}
	return shelf{shop, till, lines}, nil
}

// tax of a line: books and food have a rate of their own.
func (l line) tax() float64 {
	if strings.HasPrefix(l.Article, "food-") || strings.HasPrefix(l.Article, "book-") {
		return l.Price * .07
	}
	return l.Price * .19
}

// measure records what was sold.
func measure(ctx context.Context, r shelf) {
	var all []stats.Measurement
	for _, l := range r.Lines {
		if !service.After() {
			stats.Record(ctx, sold.M(l.Pieces))
			stats.Record(ctx, price.M(l.Price))
			stats.Record(ctx, taxed.M(l.tax()))
			stats.Record(ctx, weight.M(l.Grams))
			continue
		}
		all = append(all, sold.M(l.Pieces), price.M(l.Price), taxed.M(l.tax()), weight.M(l.Grams))
	}
	stats.Record(ctx, all...)
}

// total is the answer of a shelf.
type total struct {
	Sum   float64 `json:"sum"`
	Tax   float64 `json:"tax"`
	Check string  `json:"check"`
}

func add(r shelf) (t total) {
	sum := crc32.NewIEEE()
	for _, l := range r.Lines {
		t.Sum += l.Price * float64(l.Pieces)
		t.Tax += l.tax() * float64(l.Pieces)
		io.WriteString(sum, l.Article)
	}
	t.Check = fmt.Sprintf("%s-%08x", r.Shop, sum.Sum32())
	return t
}

func main() {
	if err := views(); err != nil {
		log.Fatal(err)
	}
	l := newLedger()
	http.HandleFunc("GET /settle", func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		r, err := l.find(q.Get("shop"), q.Get("till"), q.Get("shelf"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		ctx, err := tag.New(req.Context(), tag.Upsert(shop, r.Shop), tag.Upsert(till, r.Till))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		measure(ctx, r)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(add(r))
	})
	service.Run(http.DefaultServeMux)
}
