// Reports of a shop: for a region and a month it sums up what was sold, article by article, and answers with the
// best ten and what the month came to.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"github.com/ahmetb/go-linq/v3"
	"github.com/valyala/fasthttp"

	"wild/service"
)

// sale is one line of a receipt.
type sale struct {
	article  string
	month    int
	pieces   int
	cents    int64
	returned bool
}

// line is one of a report.
type line struct {
	Article string `json:"article"`
	Pieces  int    `json:"pieces"`
	Cents   int64  `json:"cents"`
}

type report struct {
	Region string `json:"region"`
	Month  int    `json:"month"`
	Total  int64  `json:"total_cents"`
	Best   []line `json:"best"`
}

// book is what was sold, by region.
type book map[string][]sale

func newBook() book {
	b := book{}
	for r, region := range []string{"north", "south", "west", "islands"} {
		var all []sale
		for i := range 1400 {
			k := i*7919 + r*104729
			all = append(all, sale{fmt.Sprintf("A-%03d", k%61), 1 + k/61%12, 1 + k%4, int64(199 + k%4000), k%23 == 0})
		}
		b[region] = all
	}
	return b
}

func sum(article string, sales []any) line {
	out := line{Article: article}
	for _, s := range sales {
		one := s.(sale)
		out.Pieces += one.pieces
		out.Cents += one.cents * int64(one.pieces)
	}
	return out
}

// lines sums the sales of a month up by article, the best first.
func lines(sales []sale, month int) []line {
	var out []line
	if service.After() {
		linq.From(sales).
			Where(func(s any) bool { return s.(sale).month == month && !s.(sale).returned }).
			GroupBy(func(s any) any { return s.(sale).article }, func(s any) any { return s }).
			Select(func(g any) any { return sum(g.(linq.Group).Key.(string), g.(linq.Group).Group) }).
			OrderByDescending(func(l any) any { return l.(line).Cents }).
			ThenBy(func(l any) any { return l.(line).Article }).
			ToSlice(&out)
		return out
	}
	linq.From(sales).
		WhereT(func(s sale) bool { return s.month == month && !s.returned }).
		GroupByT(func(s sale) string { return s.article }, func(s sale) sale { return s }).
		SelectT(func(g linq.Group) line { return sum(g.Key.(string), g.Group) }).
		OrderByDescendingT(func(l line) int64 { return l.Cents }).
		ThenByT(func(l line) string { return l.Article }).
		ToSlice(&out)
	return out
}

func (b book) report(region string, month int) (*report, error) {
	sales, ok := b[region]
	if !ok {
		return nil, fmt.Errorf("no region %q", region)
	}
	out := &report{Region: region, Month: month}
	all := lines(sales, month)
	for _, l := range all {
		out.Total += l.Cents
	}
	out.Best = all[:min(10, len(all))]
	return out, nil
}

func main() {
	b := newBook()
	serve := func(ctx *fasthttp.RequestCtx) {
		region, ok := strings.CutPrefix(string(ctx.Path()), "/reports/")
		month, err := ctx.QueryArgs().GetUint("month")
		if !ok || err != nil || month < 1 || month > 12 {
			ctx.Error("/reports/{region}?month=1 to 12", fasthttp.StatusBadRequest)
			return
		}
		out, err := b.report(region, month)
		if err != nil {
			ctx.Error(err.Error(), fasthttp.StatusNotFound)
			return
		}
		ctx.SetContentType("application/json")
		if err := json.NewEncoder(ctx).Encode(out); err != nil {
			ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		}
	}
	ln := service.Listen()
	srv := &fasthttp.Server{Handler: serve}
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
