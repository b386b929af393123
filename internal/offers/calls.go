package offers

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// What the names of calls are made of that do the same for many, or do not wait, or keep what is made.
var (
	many  = words("batch bulk multi many all pipeline pipelined async stream buffered mget mset txn transaction")
	looks = words("get view read find query list load scan lookup head fetch search count") // of calls that change nothing
	puts  = words("write insert put delete remove set update save publish send store")      // of those that do
	again = words("append into to reset pool pooled cached compile precompile prepare prepared must parsed buffer reuse clone batch bulk stream")
)

// streams are of these the words of calls that, with no other word, are another thing than one that computes: Context.Stream is no other way to
// answer with JSON.
var streams = words("stream must parsed to into clone")

// beside is the exported calls next to one that a service makes which may take its place: of
// the same type or package, with a word more in their names than it has.
func (p *source) beside(function string, class unpark.Class) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() {
		return nil
	}
	fit, waiting := many, true
	switch class {
	case unpark.ClassCPU, unpark.ClassAlloc, unpark.ClassGC, unpark.ClassRecompute:
		fit, waiting = again, false
	}
	of := receiver(d)
	have := unpark.Words(d.Name.Name)
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other == d || !other.Name.IsExported() || receiver(other) != of || deprecated(other.Doc) {
			continue
		}
		words := unpark.Words(other.Name.Name)
		if slices.Contains(looks, have[0]) && changes(words) || words[0] == "must" && slices.Equal(words[1:], have) { // that only panics
			continue
		}
		n := 0
		for i, w := range words {
			if between := i > 0 && i < len(words)-1 && (w == "to" || w == "into"); between {
				continue // CharsToLines makes one of the other
			}
			if slices.Contains(fit, w) && !slices.Contains(have, w) {
				n++
			}
		}
		// Publish and PublishAsync; or Batch, NewBatch of the same type.
		same := words[0] == have[0] && len(words) > len(have) || slices.Contains(words, have[0])
		alone := of != "" && (len(words) == 1 && slices.Contains(fit, words[0]) && (waiting || !slices.Contains(streams, words[0])) ||
			words[0] == "new" && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(fit, w) && !slices.Contains(have, w) }) && ast.IsExported(makes(other)))
		if waiting && plural(d.Name.Name, other.Name.Name) {
			n, same = n+1, true // SendMessage and SendMessages
		}
		if n == 0 || !same && !alone {
			continue
		}
		if same {
			n++
		}
		if alone && words[0] == "new" {
			n++ // another type for the same work: NewStreamWriter, NewWriteBatch
		}
		out = append(out, found{setting: setting{name: name, kind: "func", doc: firstOf(other.Doc), pkg: p}, at: function, score: n})
	}
	alike := p.alikes(d, function)
	out = slices.DeleteFunc(slices.Concat(out, variadic(p, d, function), sorts(p, d, function, fit)), func(o found) bool {
		return slices.ContainsFunc(alike, func(a found) bool { return a.name == o.name })
	})
	return slices.Concat(alike, out)
}

// changes reports whether the words of a name say that a call changes something.
func changes(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(puts, w) })
}

// variadic is the functions that do to any number of things of a type of the package what a call does to one or two of
// them: FastOr(all ...*Bitmap) beside (*Bitmap).Or.
func variadic(p *source, d *ast.FuncDecl, function string) []found {
	of := receiver(d)
	if of == "" && len(d.Type.Params.List) > 0 {
		of = typeOf(d.Type.Params.List[0].Type)
	}
	if !ast.IsExported(of) {
		return nil
	}
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other == d || !other.Name.IsExported() || other.Recv != nil || deprecated(other.Doc) || !holds(unpark.Words(other.Name.Name), unpark.Words(d.Name.Name)) {
			continue
		}
		for _, f := range other.Type.Params.List {
			if elementOf(f.Type) == of {
				out = append(out, found{setting: setting{name: name, kind: "func", doc: firstOf(other.Doc), pkg: p}, at: function, score: 2})
				break
			}
		}
	}
	return out
}

// elementOf is the type of what a list or the rest of the parameters has; empty of anything else.
func elementOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ellipsis:
		return typeOf(e.Elt)
	case *ast.ArrayType:
		return typeOf(e.Elt)
	}
	return ""
}

// sorts is what makes something of another sort than the one whose method a service calls: by another constructor of
// its type (NewBuffered beside New of a client), or a type that has the method too and whose name says more
// (CachedEnforcer beside Enforcer).
func sorts(p *source, d *ast.FuncDecl, function string, fit []string) []found {
	of := receiver(d)
	if !ast.IsExported(of) {
		return nil
	}
	own := unpark.Words(of)
	more := func(name string) bool {
		words := unpark.Words(name)
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(fit, w) && !slices.Contains(own, w) })
	}
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if !other.Name.IsExported() || other.Recv != nil || deprecated(other.Doc) || !strings.HasPrefix(name, "New") {
			continue
		}
		made := makes(other)
		another := made != of && holds(unpark.Words(made), own) && p.funcs[made+"."+d.Name.Name] != nil && more(made)
		if made == of && more(name) || another {
			out = append(out, found{setting: setting{name: name, kind: "func", doc: firstOf(other.Doc), pkg: p}, at: function, score: 2})
		}
	}
	return out
}

// plural reports whether a name is that of the same for many.
func plural(one, all string) bool {
	return all == one+"s" || all == one+"es" || all == "M"+one || strings.HasSuffix(one, "y") && all == strings.TrimSuffix(one, "y")+"ies"
}
