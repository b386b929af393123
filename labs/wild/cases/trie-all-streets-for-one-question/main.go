// Streets of a country: while a caller types an address, the form asks after each letter whether any street begins like that, and shows a
// hint when none does.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/derekparker/trie/v3"

	"wild/service"
)

// street is where one is.
type street struct {
	Town string
	Zip  int
}

// register has the streets by their names.
type register struct{ streets *trie.Trie[street] }

var (
	firsts = []string{"ahorn", "birken", "buchen", "dorf", "eichen", "feld", "garten", "hafen", "kirch", "linden", "markt", "mühlen", "rosen", "schul", "tannen", "wald"}
	lasts  = []string{"allee", "damm", "gasse", "hof", "platz", "ring", "steg", "strasse", "ufer", "weg"}
	towns  = []string{"lund", "bonn", "graz", "york", "gent", "riga", "brno", "cork", "nice", "bari"}
)

func open() *register {
	g := &register{trie.New[street]()}
	for i, first := range firsts {
		for j, last := range lasts {
			for k, town := range towns {
				for n := range 12 {
					g.streets.Add(fmt.Sprintf("%s%s %s %d", first, last, town, n+1), street{town, 10000 + i*1000 + j*100 + k*10 + n})
				}
			}
		}
	}
	return g
}

// any says whether a street begins like that.
func (g *register) any(begin string) bool {
	if service.After() {
		return g.streets.HasKeysWithPrefix(begin)
	}
	return len(g.streets.PrefixSearch(begin)) > 0
}

func (g *register) serve(w http.ResponseWriter, r *http.Request) {
	begin := strings.ToLower(strings.TrimSpace(r.URL.Query().Get("begin")))
	if begin == "" {
		http.Error(w, "how does it begin?", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"begin": begin, "known": g.any(begin)})
}

func main() {
	g := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /streets", g.serve)
	service.Run(mux)
}
