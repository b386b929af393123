// The front of a shop: which parts a visitor sees is by flags, some of which depend on the country and on the visitor.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log"
	"net/http"
	"strconv"

	"github.com/open-feature/go-sdk/openfeature"
	"github.com/open-feature/go-sdk/openfeature/memprovider"

	"wild/service"
)

// front is what a visitor sees.
type front struct {
	Banner  string  `json:"banner"`
	Search  bool    `json:"search"`
	Reviews bool    `json:"reviews"`
	Columns int64   `json:"columns"`
	Rebate  float64 `json:"rebate"`
	Goods   []good  `json:"goods"`
}

type good struct {
	Name  string  `json:"name"`
	Price float64 `json:"price"`
}

// shop has goods and flags.
type shop struct {
	flags *openfeature.Client
	goods []good
}

// part puts visitors into one of a hundred parts, the same each time.
func part(flat openfeature.FlattenedContext) uint32 {
	h := fnv.New32a()
	fmt.Fprint(h, flat[openfeature.TargetingKey])
	return h.Sum32() % 100
}

func open() (*shop, error) {
	tenth := func(f memprovider.InMemoryFlag, c openfeature.FlattenedContext) (any, openfeature.ProviderResolutionDetail) {
		return part(c) < 10, openfeature.ProviderResolutionDetail{Reason: openfeature.SplitReason}
	}
	banner := func(f memprovider.InMemoryFlag, c openfeature.FlattenedContext) (any, openfeature.ProviderResolutionDetail) {
		if c["country"] == "no" {
			return f.Variants["snow"], openfeature.ProviderResolutionDetail{Reason: openfeature.TargetingMatchReason}
		}
		return f.Variants["sun"], openfeature.ProviderResolutionDetail{Reason: openfeature.DefaultReason}
	}
	provider := memprovider.NewInMemoryProvider(map[string]memprovider.InMemoryFlag{
		"banner":  {Key: "banner", State: memprovider.Enabled, DefaultVariant: "sun", Variants: map[string]any{"sun": "Tents and hats", "snow": "Skis and wax"}, ContextEvaluator: &banner},
		"search":  {Key: "search", State: memprovider.Enabled, DefaultVariant: "on", Variants: map[string]any{"on": true, "off": false}},
		"reviews": {Key: "reviews", State: memprovider.Enabled, DefaultVariant: "off", Variants: map[string]any{"on": true, "off": false}, ContextEvaluator: &tenth},
		"columns": {Key: "columns", State: memprovider.Enabled, DefaultVariant: "three", Variants: map[string]any{"three": 3, "four": 4}},
		"rebate":  {Key: "rebate", State: memprovider.Enabled, DefaultVariant: "some", Variants: map[string]any{"none": 0.0, "some": 0.05}},
	})
	if err := openfeature.SetProviderAndWait(provider); err != nil {
		return nil, err
	}
	s := &shop{flags: openfeature.NewClient("front")}
	for i := range 400 {
		s.goods = append(s.goods, good{"thing " + strconv.Itoa(i), float64(490+i*37%9000) / 100})
	}
	return s, nil
}

// show makes the front for a visitor.
func (s *shop) show(ctx context.Context, visitor, country string) (f front, err error) {
	about := openfeature.NewEvaluationContext(visitor, map[string]any{"country": country})
	banner, errBanner := s.flags.StringValue(ctx, "banner", "", about)
	search, errSearch := s.flags.BooleanValue(ctx, "search", false, about)
	reviews, errReviews := s.flags.BooleanValue(ctx, "reviews", false, about)
	columns, errColumns := s.flags.IntValue(ctx, "columns", 3, about)
	rebate, errRebate := s.flags.FloatValue(ctx, "rebate", 0, about)
	f = front{Banner: banner, Search: search, Reviews: reviews, Columns: columns, Rebate: rebate}
	from := int(columns) * len(visitor) * 7
	for k := range int(columns) * 5 {
		g := s.goods[(from+k*11)%len(s.goods)]
		g.Price *= 1 - rebate
		f.Goods = append(f.Goods, g)
	}
	return f, errors.Join(errBanner, errSearch, errReviews, errColumns, errRebate)
}

func main() {
	s, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{country}/front", func(w http.ResponseWriter, r *http.Request) {
		f, err := s.show(r.Context(), r.URL.Query().Get("visitor"), r.PathValue("country"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(f)
	})
	service.Run(mux)
}
