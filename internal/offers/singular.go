package offers

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// ones are the words by which a call is told from that for all: FindOne, and the Get of what GetAll gets.
var ones = words("one first single by id key")

// single is the calls of the same type that get one thing, where a service calls what gets all of them: BoolVariation, of a flag, beside
// AllFlagsState. Whether it reads few of them, only its author knows.
func single(p *source, function string) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || receiver(d) == "" || deprecated(d.Doc) {
		return nil
	}
	have := unpark.Words(d.Name.Name)
	at := slices.Index(have, "all")
	if at < 0 {
		return nil
	}
	of := ""
	if at+1 < len(have) {
		of = strings.TrimSuffix(have[at+1], "s")
		if of == have[at+1] {
			return nil // of no things: AllInOne
		}
	}
	rest := slices.Delete(slices.Clone(have), at, at+1)
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other == d || !other.Name.IsExported() || receiver(other) != receiver(d) || deprecated(other.Doc) || changes(unpark.Words(other.Name.Name)) && !changes(have) {
			continue
		}
		named := slices.DeleteFunc(unpark.Words(other.Name.Name), func(w string) bool { return slices.Contains(ones, w) })
		alone := of == "" && len(rest) > 0 && slices.Equal(named, rest)
		told := of != "" && mentionsWord(firstOf(other.Doc), of) && picks(other) && !picks(d)
		if alone || told {
			out = append(out, found{setting: setting{name: name, kind: "func", doc: firstOf(other.Doc), pkg: p}, at: function, by: nameOf(d), score: -len(name)})
		}
	}
	return out
}

// picks reports whether a function has a parameter that says which thing is meant.
func picks(d *ast.FuncDecl) bool {
	for name, kind := range parameters(d) {
		if kind == "string" && slices.Contains(words("key name id"), strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// mentionsWord reports whether a sentence has a word, in lower case.
func mentionsWord(sentence, word string) bool { return named(strings.ToLower(sentence), word) }
