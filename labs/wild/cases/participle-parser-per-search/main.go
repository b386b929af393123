// The catalogue of a library: readers look for books in a small language of conditions, such as
// language = "sv" and (year > 1990 or author = "Lind").
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"wild/service"
)

// search is alternatives, one of which must hold.
type search struct {
	Any []*all `parser:"@@ ( 'or' @@ )*"`
}

// all is conditions that must hold together.
type all struct {
	Terms []*term `parser:"@@ ( 'and' @@ )*"`
}

// term is one condition, or a search in parentheses.
type term struct {
	Not   bool    `parser:"@'not'?"`
	Group *search `parser:"( '(' @@ ')'"`
	Field string  `parser:"| @Ident"`
	Op    string  `parser:"  @Op"`
	Value string  `parser:"  ( @String | @Number ) )"`
}

var words = lexer.MustSimple([]lexer.SimpleRule{
	{Name: "Keyword", Pattern: `\b(and|or|not)\b`},
	{Name: "Ident", Pattern: `[a-z]+`},
	{Name: "Number", Pattern: `\d+`},
	{Name: "String", Pattern: `"[^"]*"`},
	{Name: "Op", Pattern: `[=<>]`},
	{Name: "Paren", Pattern: `[()]`},
	{Name: "space", Pattern: `\s+`},
})

func grammar() (*participle.Parser[search], error) {
	return participle.Build[search](participle.Lexer(words), participle.Unquote("String"), participle.UseLookahead(2))
}

func (s *search) holds(b map[string]string) bool {
	for _, all := range s.Any {
		ok := true
		for _, t := range all.Terms {
			ok = ok && t.holds(b) != t.Not
		}
		if ok {
			return true
		}
	}
	return false
}

func (t *term) holds(b map[string]string) bool {
	if t.Group != nil {
		return t.Group.holds(b)
	}
	switch have := b[t.Field]; t.Op {
	case "<":
		return have < t.Value
	case ">":
		return have > t.Value
	default:
		return have == t.Value
	}
}

// library has books, and the parser of searches where that is kept.
type library struct {
	books  []map[string]string
	parser *participle.Parser[search]
}

func open() (*library, error) {
	l := &library{}
	for i := range 120 {
		l.books = append(l.books, map[string]string{
			"title":    fmt.Sprintf("The %d lamps", i),
			"author":   []string{"Lind", "Hall", "Brown", "Maier", "Rossi"}[i%5],
			"language": []string{"sv", "en", "de"}[i%3],
			"year":     strconv.Itoa(1960 + i%60),
		})
	}
	var err error
	if service.After() {
		l.parser, err = grammar()
	}
	return l, err
}

// read makes a search of what a reader typed.
func (l *library) read(text string) (*search, error) {
	parser := l.parser
	if parser == nil {
		var err error
		if parser, err = grammar(); err != nil {
			return nil, err
		}
	}
	return parser.ParseString("search", text)
}

func (l *library) serve(w http.ResponseWriter, r *http.Request) {
	search, err := l.read(r.URL.Query().Get("q"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	found := []string{}
	for _, b := range l.books {
		if len(found) < 10 && search.holds(b) {
			found = append(found, b["title"])
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(found)
}

func main() {
	l, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /books", l.serve)
	service.Run(mux)
}
