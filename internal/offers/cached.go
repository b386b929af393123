package offers

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// gets are the first words of the names of calls that get something which may be the same the next time.
var gets = append(words("retrieve resolve download discover"), looks...)

// cached is what a package has to keep what a call of it gets anew each time, for which requests wait: a type that by its name is a cache, with the
// function that makes it. A package that is a cache itself has them for its own work.
func cached(p *source, function string, class unpark.Class) []found {
	d := p.funcs[local(function)]
	asked := class == unpark.ClassDownstream || class == unpark.ClassChannel || class == unpark.ClassIO
	if !asked || d == nil || !d.Name.IsExported() || !slices.Contains(gets, unpark.Words(d.Name.Name)[0]) ||
		isCache(p, receiver(d)) || slices.Contains(unpark.Words(receiver(d)), "cache") {
		return nil
	}
	return keepers(p, d, function, func(of string) bool {
		named := unpark.Words(of)
		return len(named) > 0 && named[len(named)-1] == "cache" && (p.made(of) || p.asks(of))
	})
}

// keepers are the functions of a package that make a type which keeps what a call of it gets, as is asked for.
func keepers(p *source, call *ast.FuncDecl, function string, fits func(of string) bool) []found {
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		maker := p.funcs[name]
		of := makes(maker)
		if maker.Recv != nil || !strings.HasPrefix(name, "New") || deprecated(maker.Doc) || !ast.IsExported(of) || !fits(of) {
			continue
		}
		doc := firstSentence(p.docs[of])
		if doc == "" {
			doc = firstOf(maker.Doc)
		}
		out = append(out, found{setting: setting{name: name, kind: of, doc: doc, pkg: p}, at: function, by: nameOf(call), score: 1})
	}
	return out
}

// caches are words by which a type is told that keeps what another one gets.
var caches = words("cache cached caching")

// standing is what a package has to stand before a type whose method gets something anew each time: a type that by its name keeps it, with the
// same method and a function that makes it (CachingLoader before Loader, both with Load).
func standing(p *source, function string, class unpark.Class) []found {
	of, method, ok := strings.Cut(local(function), ".")
	asked := class == unpark.ClassDownstream || class == unpark.ClassChannel || class == unpark.ClassIO || class == unpark.ClassAlloc || class == unpark.ClassCPU
	keeps := func(t string) bool {
		return slices.ContainsFunc(unpark.Words(t), func(w string) bool { return slices.Contains(caches, w) })
	}
	d := p.funcs[local(function)]
	if !asked || !ok || d == nil || !ast.IsExported(method) || keeps(of) {
		return nil
	}
	return keepers(p, d, function, func(other string) bool { return keeps(other) && p.funcs[other+"."+method] != nil })
}
