// Members of a club: lists of them are made by branch, in the order in which a phone book of the reader's language has names.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
	"strconv"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"wild/service"
)

// member is in a list.
type member struct {
	Name   string `json:"name"`
	Number int    `json:"number"`
}

// compared is members in the order of a language, two at a time.
type compared struct {
	members []member
	by      *collate.Collator
}

func (l *compared) Len() int      { return len(l.members) }
func (l *compared) Swap(i, j int) { l.members[i], l.members[j] = l.members[j], l.members[i] }
func (l *compared) Less(i, j int) bool {
	return l.by.CompareString(l.members[i].Name, l.members[j].Name) < 0
}

// keyed is members with what a language makes of their names, which can be compared byte by byte.
type keyed struct {
	members []member
	keys    [][]byte
}

func (l *keyed) Len() int           { return len(l.members) }
func (l *keyed) Less(i, j int) bool { return bytes.Compare(l.keys[i], l.keys[j]) < 0 }
func (l *keyed) Swap(i, j int) {
	l.members[i], l.members[j] = l.members[j], l.members[i]
	l.keys[i], l.keys[j] = l.keys[j], l.keys[i]
}

// club has branches, and collators, which one list at a time may use.
type club struct {
	branches  [][]member
	collators map[string]*sync.Pool
}

func open() *club {
	c := &club{collators: map[string]*sync.Pool{}}
	for _, tag := range []language.Tag{language.German, language.Swedish, language.Danish, language.Polish, language.Spanish} {
		c.collators[tag.String()] = &sync.Pool{New: func() any { return collate.New(tag, collate.Loose) }}
	}
	first := []string{"Åsa", "Jörg", "Łucja", "Álvaro", "Søren", "Zoë", "Émile", "Öle", "Ana", "Nuño", "Żaneta", "Birgit", "Čestmír", "Dora"}
	last := []string{"Müller", "Ångström", "Świątek", "Núñez", "Ødegård", "Öberg", "Zając", "Ibáñez", "Ærø", "Meier", "Łaski", "Cabrera", "Schäfer", "Özil", "Lindqvist", "de la Peña"}
	n := 0
	for b := range 24 {
		var all []member
		for range 120 + b*17 {
			n++
			all = append(all, member{fmt.Sprintf("%s, %s", last[n*7%len(last)], first[n*11/3%len(first)]) + " " + string(rune('A'+n*5%26)) + ".", 1000 + n})
		}
		c.branches = append(c.branches, all)
	}
	return c
}

// listed are the members of a branch, in order.
func (c *club) listed(branch int, pool *sync.Pool) []member {
	by := pool.Get().(*collate.Collator)
	defer pool.Put(by)
	all := append([]member(nil), c.branches[branch]...)
	if !service.After() {
		sort.Sort(&compared{all, by})
		return all
	}
	var room collate.Buffer
	keys := make([][]byte, len(all))
	for i, m := range all {
		keys[i] = by.KeyFromString(&room, m.Name)
	}
	sort.Sort(&keyed{all, keys})
	return all
}

func (c *club) serve(w http.ResponseWriter, r *http.Request) {
	branch, err := strconv.Atoi(r.PathValue("branch"))
	if err != nil || branch < 0 || branch >= len(c.branches) {
		http.Error(w, "there is no such branch", http.StatusNotFound)
		return
	}
	pool := c.collators[r.FormValue("language")]
	if pool == nil {
		pool = c.collators["de"]
	}
	all := c.listed(branch, pool)
	from, _ := strconv.Atoi(r.FormValue("from"))
	from = max(0, min(from, len(all)-1))
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"branch": branch, "members": len(all), "page": all[from:min(len(all), from+30)]})
}

func main() {
	c := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /branches/{branch}/members", c.serve)
	service.Run(mux)
}
