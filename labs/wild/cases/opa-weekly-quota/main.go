// What the shops of several tenants may do, and how often, decided by a policy of Open Policy
// Agent that is compiled once. Its store holds what each tenant has booked for each hour of the week.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"

	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"

	"wild/service"
)

const (
	tenants = 12
	hours   = 7 * 24
)

const policy = `package shop

default allow := false

tenant := data.tenants[input.tenant]

booked := tenant.week[input.hour]

allow if {
	tenant.active
	input.used < booked.calls
	input.action in booked.actions
}
`

func main() {
	query, err := rego.New(
		rego.Query("data.shop.allow"),
		rego.Module("shop.rego", policy),
		rego.Store(store()),
	).PrepareForEval(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/allowed", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		hour, err := strconv.Atoi(q.Get("hour"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		used, err := strconv.Atoi(q.Get("used"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		result, err := query.Eval(r.Context(), rego.EvalInput(map[string]any{
			"tenant": q.Get("tenant"),
			"action": q.Get("action"),
			"hour":   hour,
			"used":   used,
		}))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]bool{"allowed": result.Allowed()})
	})
	service.Run(http.DefaultServeMux)
}

func store() storage.Store {
	all := make(map[string]any, tenants)
	for t := range tenants {
		week := make([]any, hours)
		for h := range week {
			week[h] = map[string]any{
				"calls":   1000 + 100*(h%24) + t,
				"plan":    fmt.Sprintf("plan-%d", h%5),
				"actions": []any{"read", "list", "export"},
			}
		}
		all[fmt.Sprintf("tenant-%d", t)] = map[string]any{"active": true, "week": week}
	}
	data := map[string]any{"tenants": all}
	if service.After() {
		return inmem.NewFromObjectWithOpts(data, inmem.OptReturnASTValuesOnRead(true))
	}
	return inmem.NewFromObject(data)
}
