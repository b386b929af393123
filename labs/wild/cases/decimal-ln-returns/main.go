// How much the price of a share moves: the spread of its daily returns over a span of
// days, reckoned in decimals, as the ledger beside it does.
package main

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"

	"github.com/shopspring/decimal"

	"wild/service"
)

const (
	shares = 200
	days   = 250
	places = 12
)

type answer struct {
	Share string          `json:"share"`
	Days  int             `json:"days"`
	First decimal.Decimal `json:"first"`
	Last  decimal.Decimal `json:"last"`
	Mean  decimal.Decimal `json:"mean"`
	Year  float64         `json:"year"`
}

func main() {
	prices := make(map[string][]decimal.Decimal, shares)
	rnd := rand.New(rand.NewPCG(7, 11))
	for i := range shares {
		at := 2000 + rnd.Int64N(30_000)
		for range days {
			at += at * (rnd.Int64N(401) - 200) / 10_000
			prices["S"+strconv.Itoa(i)] = append(prices["S"+strconv.Itoa(i)], decimal.New(at, -2))
		}
	}
	http.HandleFunc("/spread", func(w http.ResponseWriter, r *http.Request) {
		share := r.URL.Query().Get("share")
		list, ok := prices[share]
		if !ok {
			http.Error(w, "no such share", http.StatusNotFound)
			return
		}
		span, err := strconv.Atoi(r.URL.Query().Get("days"))
		if err != nil || span < 2 || span >= days {
			http.Error(w, "days?", http.StatusBadRequest)
			return
		}
		list = list[len(list)-span-1:]
		mean, variance, err := spread(list)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(answer{
			Share: share,
			Days:  span,
			First: list[0],
			Last:  list[span],
			Mean:  mean,
			Year:  math.Sqrt(variance.InexactFloat64() * 252),
		})
	})
	service.Run(http.DefaultServeMux)
}

// spread returns the mean and the variance of the logarithmic returns.
func spread(list []decimal.Decimal) (mean, variance decimal.Decimal, err error) {
	var returns []decimal.Decimal
	var last decimal.Decimal
	for i, price := range list {
		at, err := price.Ln(places)
		if err != nil {
			return mean, variance, err
		}
		if i > 0 {
			returns = append(returns, at.Sub(last))
		}
		last = at
	}
	n := decimal.NewFromInt(int64(len(returns)))
	mean = decimal.Sum(returns[0], returns[1:]...).DivRound(n, places)
	for _, x := range returns {
		off := x.Sub(mean)
		variance = variance.Add(off.Mul(off))
	}
	return mean, variance.DivRound(n.Sub(decimal.NewFromInt(1)), 2*places), nil
}
