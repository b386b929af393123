// Places for a form of addresses: those are shown that begin with what was typed. All of them are in memory.
package main

import (
	"encoding/json"
	"html"
	"log"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"

	"wild/service"
)

// place is one that is shown.
type place struct {
	Name   string `json:"name"`
	Code   string `json:"code"`
	Region string `json:"region"`
	County string `json:"county"`
	People int    `json:"people"`
}

// gazetteer finds places by how they begin.
type gazetteer interface {
	begin(with string, most int) []*place
	find(name string) (*place, bool)
}

// register has the places by their names, and in the order of those.
type register struct {
	places  map[string]*place
	inOrder []*place
}

func (g *register) begin(with string, most int) []*place {
	i := sort.Search(len(g.inOrder), func(i int) bool { return strings.ToLower(g.inOrder[i].Name) >= with })
	var out []*place
	for ; i < len(g.inOrder) && len(out) < most && strings.HasPrefix(strings.ToLower(g.inOrder[i].Name), with); i++ {
		out = append(out, g.inOrder[i])
	}
	return out
}

func (g *register) find(name string) (*place, bool) {
	p, ok := g.places[name]
	return p, ok
}

// sheet has the same in one text, a line for each, in order; and where each line begins.
type sheet struct {
	text  string
	lines []uint32
}

// name is that of a line.
func (s *sheet) name(i int) string {
	name, _, _ := strings.Cut(s.text[s.lines[i]:min(len(s.text), int(s.lines[i])+64)], "\t")
	return strings.ToLower(name)
}

func (s *sheet) place(i int) *place {
	line, _, _ := strings.Cut(s.text[s.lines[i]:min(len(s.text), int(s.lines[i])+256)], "\n")
	columns := strings.SplitN(line, "\t", 5)
	people, _ := strconv.Atoi(columns[4])
	return &place{columns[0], columns[1], columns[2], columns[3], people}
}

func (s *sheet) from(name string) int {
	return sort.Search(len(s.lines), func(i int) bool { return s.name(i) >= name })
}

func (s *sheet) begin(with string, most int) []*place {
	var out []*place
	for i := s.from(with); i < len(s.lines) && len(out) < most && strings.HasPrefix(s.name(i), with); i++ {
		out = append(out, s.place(i))
	}
	return out
}

func (s *sheet) find(name string) (*place, bool) {
	i := s.from(name)
	if i == len(s.lines) || s.name(i) != name {
		return nil, false
	}
	return s.place(i), true
}

const places = 600_000

// name is that of a place.
func name(i int) string {
	parts := []string{"bel", "mon", "san", "kirk", "hol", "ander", "wick", "ham", "stad", "by", "ford", "dale", "ville", "berg", "ton", "au"}
	n := parts[i%6] + parts[i/6%16] + parts[i/96%16] + "-" + strconv.Itoa(i/1536)
	return strings.ToUpper(n[:1]) + n[1:]
}

func load() gazetteer {
	all := make([]*place, 0, places)
	for i := range places {
		all = append(all, &place{name(i), strconv.Itoa(10000 + i), "region " + strconv.Itoa(i%50), "county " + strconv.Itoa(i%700), i * 37 % 90000})
	}
	slices.SortFunc(all, func(a, b *place) int { return strings.Compare(a.Name, b.Name) }) // all begin with a capital, and have no other
	if !service.After() {
		g := &register{map[string]*place{}, all}
		for _, p := range all {
			g.places[strings.ToLower(p.Name)] = p
		}
		return g
	}
	s := &sheet{}
	var text strings.Builder
	for _, p := range all {
		s.lines = append(s.lines, uint32(text.Len()))
		text.WriteString(strings.Join([]string{p.Name, p.Code, p.Region, p.County, strconv.Itoa(p.People)}, "\t") + "\n")
	}
	s.text = text.String()
	return s
}

// suggestion is a place as the form shows it.
type suggestion struct {
	place
	Label  string `json:"label"`
	Marked string `json:"marked"`
}

func suggest(with string, found []*place) []suggestion {
	out := []suggestion{}
	for _, p := range found {
		label := p.Code + " " + p.Name + ", " + p.County + " (" + p.Region + ")"
		marked := "<b>" + html.EscapeString(p.Name[:len(with)]) + "</b>" + html.EscapeString(p.Name[len(with):])
		out = append(out, suggestion{*p, label, marked})
	}
	return out
}

func main() {
	g := load()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /places", func(w http.ResponseWriter, r *http.Request) {
		with := strings.ToLower(strings.TrimSpace(r.FormValue("begin")))
		body, err := json.Marshal(map[string]any{"begin": with, "places": suggest(with, g.begin(with, 60))})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	})
	mux.HandleFunc("GET /places/{name}", func(w http.ResponseWriter, r *http.Request) {
		p, ok := g.find(strings.ToLower(r.PathValue("name")))
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(p)
	})
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}
