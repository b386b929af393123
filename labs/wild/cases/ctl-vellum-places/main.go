// Places for a map: while a name is typed, the places that begin so. The names are in a transducer of vellum, built at the
// start, and its readers walk it without locks.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"slices"
	"strings"

	"github.com/blevesearch/vellum"

	"wild/service"
)

// place is one that is found.
type place struct {
	Name   string `json:"name"`
	People uint64 `json:"people"`
}

// gazetteer has names of places, in order, with how many live there.
type gazetteer struct{ names *vellum.FST }

func build() (*gazetteer, error) {
	begin := []string{"alt", "bern", "chur", "dorf", "eich", "feld", "grün", "hoch", "inn", "klein", "lind", "nieder", "ober", "rhein", "sankt ", "unter", "wald"}
	middle := []string{"an", "bach", "berg", "burg", "fels", "garten", "hagen", "kirch", "moos", "ried", "stein", "tal"}
	end := []string{"", "au", "brück", "ecke", "hausen", "heim", "hof", "ingen", "see", "stadt", "wil"}
	var all []string
	for _, b := range begin {
		for _, m := range middle {
			for _, e := range end {
				for n := range 8 {
					all = append(all, b+m+e+[]string{"", " am see", " bei bern", " dorf", " im wald", " nord", " ost", " west"}[n])
				}
			}
		}
	}
	slices.Sort(all)
	var out bytes.Buffer
	b, err := vellum.New(&out, nil)
	if err != nil {
		return nil, err
	}
	for i, name := range slices.Compact(all) {
		if err := b.Insert([]byte(name), uint64(i*7919%90000+12)); err != nil {
			return nil, err
		}
	}
	if err := b.Close(); err != nil {
		return nil, err
	}
	names, err := vellum.Load(out.Bytes())
	return &gazetteer{names}, err
}

// find looks for the first places whose names begin with what was typed.
func (g *gazetteer) find(typed string, most int) ([]place, error) {
	begin := []byte(strings.ToLower(typed))
	end := append(bytes.Clone(begin), 0xff)
	out := make([]place, 0, most)
	at, err := g.names.Iterator(begin, end)
	for ; err == nil && len(out) < most; err = at.Next() {
		name, people := at.Current()
		out = append(out, place{string(name), people})
	}
	if errors.Is(err, vellum.ErrIteratorDone) {
		err = nil
	}
	return out, err
}

func main() {
	g, err := build()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /places", func(w http.ResponseWriter, r *http.Request) {
		typed := r.FormValue("typed")
		if typed == "" || len(typed) > 60 {
			http.Error(w, "what was typed has up to 60 letters", http.StatusBadRequest)
			return
		}
		found, err := g.find(typed, 6)
		if err != nil {
			http.Error(w, fmt.Sprintf("%q: %v", typed, err), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	})
	service.Run(mux)
}
