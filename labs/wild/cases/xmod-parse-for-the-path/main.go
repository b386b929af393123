// An index of a company's modules: repositories of a team are listed with the paths of their modules and what was last released of them.
// What is known of a repository is its go.mod, as it was fetched last.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"wild/service"
)

// repository is one that was fetched.
type repository struct {
	name     string
	gomod    []byte
	releases []string
}

// index has the repositories of each team.
type index struct{ teams [][]repository }

// gomod is the file of a service that has grown for some years.
func gomod(team, n int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "// Package tooling: see docs/modules.md before you change this.\nmodule example.com/team-%d/service-%d\n\ngo 1.26.0\n\nrequire (\n", team, n)
	for i := range 30 + n%20 {
		fmt.Fprintf(&b, "\tgithub.com/vendor-%d/library-%d/v2 v2.%d.%d\n", i%9, i, n%12, i%7)
	}
	b.WriteString(")\n\nrequire (\n")
	for i := range 110 + (team+n)%60 {
		fmt.Fprintf(&b, "\tgolang.example/x/part-%d v0.0.0-202609%02d120000-%012x // indirect\n", i, 1+i%28, i*7919+n)
	}
	fmt.Fprintf(&b, ")\n\nreplace github.com/vendor-1/library-1/v2 => example.com/forks/library-1/v2 v2.%d.9\n", n%12)
	return []byte(b.String())
}

func open() *index {
	x := &index{}
	for team := range 12 {
		var all []repository
		for n := range 24 {
			r := repository{name: fmt.Sprintf("team-%d/service-%d", team, n), gomod: gomod(team, n)}
			for i := range 14 {
				r.releases = append(r.releases, fmt.Sprintf("v%d.%d.%d", 1+i%2, (i*5+n)%9, i%4))
			}
			all = append(all, r)
		}
		x.teams = append(x.teams, all)
	}
	return x
}

// path is the path of the module in a repository.
func path(r repository) (string, error) {
	if service.After() {
		return modfile.ModulePath(r.gomod), nil
	}
	f, err := modfile.Parse(r.name+"/go.mod", r.gomod, nil)
	if err != nil {
		return "", err
	}
	return f.Module.Mod.Path, nil
}

// last is what was released last.
func last(releases []string) string {
	all := append([]string(nil), releases...)
	semver.Sort(all)
	return all[len(all)-1]
}

func (x *index) serve(w http.ResponseWriter, r *http.Request) {
	team, err := strconv.Atoi(r.PathValue("team"))
	if err != nil || team < 0 || team >= len(x.teams) {
		http.Error(w, "there is no such team", http.StatusNotFound)
		return
	}
	type entry struct {
		Path       string `json:"path"`
		Repository string `json:"repository"`
		Last       string `json:"last"`
	}
	out := make([]entry, 0, len(x.teams[team]))
	for _, repo := range x.teams[team] {
		p, err := path(repo)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if q := r.URL.Query().Get("q"); strings.Contains(p, q) {
			out = append(out, entry{p, repo.name, last(repo.releases)})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	x := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /teams/{team}/modules", x.serve)
	mux.HandleFunc("GET /teams", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, len(x.teams)) })
	service.Run(mux)
}
