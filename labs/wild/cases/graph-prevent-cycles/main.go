// The order in which the packages of a repository are built for a change: a graph of what
// needs what, which refuses cycles, is made of the manifest and of what the change adds to
// it, and sorted. Most repositories are small; the platform is not.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"

	"github.com/dominikbraun/graph"

	"wild/service"
)

// manifest lists for each package those that it needs.
type manifest struct {
	packages []string
	needs    [][]int
}

type plan struct {
	Change  int64    `json:"change"`
	Refused int      `json:"refused"`
	Order   []string `json:"order"`
}

func main() {
	repositories := map[string]manifest{
		"tools":    read("tools", 12),
		"website":  read("website", 15),
		"billing":  read("billing", 18),
		"platform": read("platform", 120),
	}
	var changes atomic.Int64
	http.HandleFunc("/plan", func(w http.ResponseWriter, r *http.Request) {
		m, ok := repositories[r.URL.Query().Get("repository")]
		if !ok {
			http.Error(w, "no such repository", http.StatusNotFound)
			return
		}
		p := plan{Change: changes.Add(1)}
		if err := p.fill(m); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(p)
	})
	service.Run(http.DefaultServeMux)
}

// fill orders the packages. What the change asks for and would be a cycle is refused.
func (p *plan) fill(m manifest) error {
	g := graph.New(graph.StringHash, graph.Directed(), graph.PreventCycles())
	for _, name := range m.packages {
		if err := g.AddVertex(name); err != nil {
			return err
		}
	}
	for i, needs := range m.needs {
		for _, n := range needs {
			if err := g.AddEdge(m.packages[n], m.packages[i]); err != nil {
				return err
			}
		}
	}
	n := len(m.packages)
	for k := range 4 {
		from, to := (int(p.Change)*13+k*29)%n, (int(p.Change)*7+k*11)%n
		err := g.AddEdge(m.packages[from], m.packages[to])
		switch {
		case errors.Is(err, graph.ErrEdgeCreatesCycle):
			p.Refused++
		case err != nil && !errors.Is(err, graph.ErrEdgeAlreadyExists):
			return err
		}
	}
	order, err := graph.TopologicalSort(g)
	p.Order = order
	return err
}

// read makes the manifest of a repository whose packages lie in layers of ten: each needs
// three of the layer below.
func read(repository string, n int) manifest {
	rnd := rand.New(rand.NewPCG(uint64(n), 1))
	var m manifest
	for i := range n {
		m.packages = append(m.packages, fmt.Sprintf("%s/layer%02d/package%d", repository, i/10, i%10))
		var needs []int
		if below := i/10*10 - 10; below >= 0 && i/10%4 != 0 {
			for _, k := range rnd.Perm(10)[:3] {
				needs = append(needs, below+k)
			}
		}
		m.needs = append(m.needs, needs)
	}
	return m
}
