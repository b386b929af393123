// Admission of sign-ins: each is judged by the rules of its tenant, which are written in
// CEL and compiled when they are loaded. A rule names the networks and the countries that
// it lets in, and the shape of the path.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/google/cel-go/cel"

	"wild/service"
)

const (
	tenants  = 40
	networks = 400
)

type verdict struct {
	Attempt int64 `json:"attempt"`
	Network int64 `json:"network"`
	Allowed bool  `json:"allowed"`
	Rule    int   `json:"rule"`
}

func main() {
	var options []cel.ProgramOption
	if service.After() {
		options = append(options, cel.EvalOptions(cel.OptOptimize))
	}
	rules := make([][]cel.Program, tenants)
	for t := range rules {
		var err error
		if rules[t], err = load(t, options); err != nil {
			log.Fatal(err)
		}
	}
	countries := []string{"at", "be", "ch", "de", "fr", "it", "nl", "pl"}
	var attempts atomic.Int64
	http.HandleFunc("/admit", func(w http.ResponseWriter, r *http.Request) {
		n := attempts.Add(1)
		v := verdict{Attempt: n, Network: 1000 + n*7919%6000, Rule: -1}
		in := map[string]any{
			"network": v.Network,
			"country": countries[n%8],
			"path":    r.URL.Path,
			"agent":   r.UserAgent(),
		}
		for i, rule := range rules[n%tenants] {
			out, _, err := rule.ContextEval(r.Context(), in)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			if out.Value() == true {
				v.Allowed, v.Rule = true, i
				break
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(v)
	})
	service.Run(http.DefaultServeMux)
}

// load compiles the rules of a tenant, of which the last lets nearly everybody in.
func load(tenant int, options []cel.ProgramOption) ([]cel.Program, error) {
	env, err := cel.NewEnv(
		cel.Variable("network", cel.IntType),
		cel.Variable("country", cel.StringType),
		cel.Variable("path", cel.StringType),
		cel.Variable("agent", cel.StringType),
	)
	if err != nil {
		return nil, err
	}
	var out []cel.Program
	for i := range 6 {
		var list []string
		for k := range networks {
			list = append(list, fmt.Sprint(1000+(tenant*131+i*977+k*37)%90_000))
		}
		text := fmt.Sprintf(`network in [%s] && country in ["de", "at", "ch", "fr", "it"] && path.startsWith("/admit")`, strings.Join(list, ", "))
		if i == 5 {
			text = `country != "" && size(agent) < 500`
		}
		ast, issues := env.Compile(text)
		if issues.Err() != nil {
			return nil, issues.Err()
		}
		p, err := env.Program(ast, options...)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}
