// Discounts on carts. The rules are expressions in CEL that are compiled when the service
// starts, counts and times go to VictoriaMetrics' metrics, and what is unusual is logged.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/VictoriaMetrics/metrics"
	"github.com/google/cel-go/cel"

	"wild/service"
)

type cart struct {
	Customer string `json:"customer"`
	Country  string `json:"country"`
	Loyal    bool   `json:"loyal"`
	Items    []struct {
		SKU   string `json:"sku"`
		Count int64  `json:"count"`
		Cents int64  `json:"cents"`
	} `json:"items"`
}

type rule struct {
	name    string
	percent int64
	applies cel.Program
	used    *metrics.Counter
}

var (
	carts = metrics.NewCounter("carts_total")
	took  = metrics.NewHistogram("cart_seconds")
)

func main() {
	logger := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	list, err := rules()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/discounts", func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		var c cart
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		facts := map[string]any{"country": c.Country, "loyal": c.Loyal, "total": total(c), "kinds": int64(len(c.Items))}
		granted := make(map[string]int64)
		for _, rule := range list {
			applies, _, err := rule.applies.Eval(facts)
			if err != nil {
				logger.Warn("rule", slog.String("name", rule.name), slog.Any("error", err))
				continue
			}
			if applies.Value() == true {
				rule.used.Inc()
				granted[rule.name] = rule.percent
			}
		}
		logger.Debug("cart", slog.String("customer", c.Customer))
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(granted)
		carts.Inc()
		took.UpdateDuration(start)
	})
	service.Run(http.DefaultServeMux)
}

func total(c cart) int64 {
	var sum int64
	for _, i := range c.Items {
		sum += i.Count * i.Cents
	}
	return sum
}

// rules compiles what discounts are given for.
func rules() ([]rule, error) {
	env, err := cel.NewEnv(
		cel.Variable("country", cel.StringType),
		cel.Variable("loyal", cel.BoolType),
		cel.Variable("total", cel.IntType),
		cel.Variable("kinds", cel.IntType),
	)
	if err != nil {
		return nil, err
	}
	var list []rule
	for i, text := range []string{
		`loyal && total > 5000`,
		`country in ["de", "at", "ch"] && kinds >= 3`,
		`total > 20000 || (kinds > 4 && !loyal)`,
		`country.startsWith("f") && total > 1000`,
	} {
		ast, issues := env.Compile(text)
		if issues.Err() != nil {
			return nil, issues.Err()
		}
		p, err := env.Program(ast)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("rule-%d", i+1)
		list = append(list, rule{name, int64(5 * (i + 1)), p, metrics.NewCounter(fmt.Sprintf("rule_used_total{rule=%q}", name))})
	}
	return list, nil
}
