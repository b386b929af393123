// The routing part of a gateway. Its rules are kept in a store that hands out copies, so that no
// handler can change what others read: for each request the rules of a tenant are copied, those that
// the tenant may not use are taken out, and the request is matched against the rest.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mitchellh/copystructure"

	"wild/service"
)

type upstream struct {
	Address string        `json:"address"`
	Weight  int           `json:"weight"`
	Timeout time.Duration `json:"timeout"`
}

type rule struct {
	Name      string            `json:"name"`
	Prefix    string            `json:"prefix"`
	Plan      string            `json:"plan"`
	Headers   map[string]string `json:"headers"`
	Methods   []string          `json:"methods"`
	Upstreams []*upstream       `json:"upstreams"`
}

func (r *rule) clone() *rule {
	c := *r
	c.Headers, c.Methods = maps.Clone(r.Headers), slices.Clone(r.Methods)
	c.Upstreams = make([]*upstream, len(r.Upstreams))
	for i, u := range r.Upstreams {
		v := *u
		c.Upstreams[i] = &v
	}
	return &c
}

// store keeps the rules of tenants.
type store struct {
	mu    sync.RWMutex
	rules map[string][]*rule
}

func newStore() *store {
	s := &store{rules: map[string][]*rule{}}
	for t := range 8 {
		tenant := fmt.Sprint("tenant-", t)
		for i := range 30 {
			r := &rule{
				Name: fmt.Sprint("rule-", i), Prefix: fmt.Sprintf("/api/v%d/part-%d/", i%3, i), Plan: []string{"free", "paid"}[i%2],
				Headers: map[string]string{"X-Tenant": tenant, "X-Rule": fmt.Sprint(i)}, Methods: []string{"GET", "POST"},
			}
			for u := range 3 {
				r.Upstreams = append(r.Upstreams, &upstream{fmt.Sprintf("10.0.%d.%d:80", i, u), u + 1, 2 * time.Second})
			}
			s.rules[tenant] = append(s.rules[tenant], r)
		}
	}
	return s
}

// read returns a copy of a tenant's rules.
func (s *store) read(tenant string) ([]*rule, error) {
	s.mu.RLock()
	rules, ok := s.rules[tenant]
	s.mu.RUnlock()
	if !ok {
		return nil, fmt.Errorf("no tenant %q", tenant)
	}
	if service.After() {
		out := make([]*rule, len(rules))
		for i, r := range rules {
			out[i] = r.clone()
		}
		return out, nil
	}
	c, err := copystructure.Copy(rules)
	if err != nil {
		return nil, err
	}
	return c.([]*rule), nil
}

// allowed takes out what a plan does not have, and halves what others may wait.
func allowed(rules []*rule, plan string) []*rule {
	return slices.DeleteFunc(rules, func(r *rule) bool {
		if plan != "paid" {
			for _, u := range r.Upstreams {
				u.Timeout /= 2
			}
		}
		return r.Plan == "paid" && plan != "paid"
	})
}

// match returns the rule with the longest prefix of a path.
func match(rules []*rule, path string) *rule {
	var best *rule
	for _, r := range rules {
		if strings.HasPrefix(path, r.Prefix) && (best == nil || len(r.Prefix) > len(best.Prefix)) {
			best = r
		}
	}
	return best
}

func main() {
	s := newStore()
	http.HandleFunc("/route", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		rules, err := s.read(q.Get("tenant"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		found := match(allowed(rules, q.Get("plan")), q.Get("path"))
		if found == nil {
			http.Error(w, "no rule", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	})
	service.Run(http.DefaultServeMux)
}
