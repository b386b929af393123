// What a user may do: before a page is shown, its buttons are asked for here, and casbin
// says which of them the role of the user allows.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"

	"wild/service"
)

const rules = `
[request_definition]
r = sub, obj, act

[policy_definition]
p = sub, obj, act

[role_definition]
g = _, _

[policy_effect]
e = some(where (p.eft == allow))

[matchers]
m = keyMatch4(r.obj, p.obj) && r.act == p.act && g(r.sub, p.sub)
`

func main() {
	m, err := model.NewModelFromString(rules)
	if err != nil {
		log.Fatal(err)
	}
	enforcer, err := casbin.NewEnforcer(m)
	if err != nil {
		log.Fatal(err)
	}
	var policies [][]string
	for _, kind := range []string{"invoices", "orders", "articles", "customers", "returns", "offers"} {
		policies = append(policies,
			[]string{"clerk", "/shops/{shop}/" + kind + "/{id}", "read"},
			[]string{"clerk", "/shops/{shop}/" + kind + "/{id}/notes/{note}", "write"},
			[]string{"manager", "/shops/{shop}/" + kind + "/{id}", "write"},
			[]string{"manager", "/shops/{shop}/" + kind + "/{id}", "delete"},
		)
	}
	if _, err := enforcer.AddPolicies(policies); err != nil {
		log.Fatal(err)
	}
	roles := [][]string{{"manager", "clerk"}}
	for i := range 50 {
		role := "clerk"
		if i%5 == 0 {
			role = "manager"
		}
		roles = append(roles, []string{fmt.Sprint("user-", i), role})
	}
	if _, err := enforcer.AddGroupingPolicies(roles); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/buttons", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		may := make(map[string]bool)
		for _, act := range strings.Split(q.Get("acts"), ",") {
			ok, err := enforcer.Enforce(q.Get("user"), q.Get("page"), act)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			may[act] = ok
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(may)
	})
	service.Run(http.DefaultServeMux)
}
