package offers

import (
	"go/ast"
	"go/types"
	"maps"
	"regexp"
	"slices"

	"github.com/unpark-go/unpark"
)

// Documentation tells one function by another where they are nearly the same, and says in what it is not: "MatchLimit is the same as Match
// but will limit the complexity of the match".
var (
	alike  = regexp.MustCompile(`(?i)\b(like|(the )?same as|similar to|identical to|equivalent (of|to)|(variant|version) of)\b`)
	unlike = regexp.MustCompile(`(?i)\b(but|except|without|instead|only|avoid\w*|limit\w*|reus\w*)\b`)
	panics = regexp.MustCompile(`(?i)\bpanic`)
)

// alikes is the exported functions that documentation tells by one that a service calls.
func (p *source) alikes(d *ast.FuncDecl, function string) []found {
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other == d || !other.Name.IsExported() || receiver(other) != receiver(d) || deprecated(other.Doc) {
			continue
		}
		doc := firstOf(other.Doc)
		if at := alike.FindStringIndex(doc); at != nil && named(doc[at[1]:], d.Name.Name) && unlike.MatchString(doc[at[1]:]) && !panics.MatchString(doc) && !takesMore(other, d) {
			out = append(out, found{setting: setting{name: name, kind: "func", doc: doc, pkg: p}, at: function, score: 3})
		}
	}
	return out
}

// takesMore reports whether a function takes what another one does and a context before it: it does the same.
func takesMore(of, than *ast.FuncDecl) bool {
	more, less := params(of), params(than)
	return len(more) == len(less)+1 && ofCall.MatchString(more[0]) && slices.Equal(more[1:], less)
}

// params is the types of what a function takes.
func params(d *ast.FuncDecl) []string {
	var out []string
	for _, f := range d.Type.Params.List {
		for range max(1, len(f.Names)) {
			out = append(out, types.ExprString(f.Type))
		}
	}
	return out
}

// reusing is the functions of a longer name than the one that a service calls, and of the same type, whose documentation says that they use
// again what that makes for each call.
func reusing(p *source, function string) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || deprecated(d.Doc) {
		return nil
	}
	have := unpark.Words(d.Name.Name)
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		words := unpark.Words(other.Name.Name)
		if other == d || !other.Name.IsExported() || receiver(other) != receiver(d) || deprecated(other.Doc) || len(words) <= len(have) || !slices.Equal(words[:len(have)], have) || results(other) != results(d) {
			continue
		}
		for _, s := range sentences(other.Doc.Text()) {
			if reused.MatchString(s) && ofItself.MatchString(s) && !unshareable.MatchString(s) {
				out = append(out, found{setting: setting{name: name, kind: "func", doc: shortened(s), pkg: p}, at: function, by: nameOf(d), score: 1})
				break
			}
		}
	}
	return out
}

// ofItself is a sentence that says what the function is for.
var ofItself = regexp.MustCompile(`(?i)\b(use (it|this)|used (to|for|when)|useful|(this|the) (method|function|call)|allows?|lets?)\b`)

// reused is what documentation says of something that serves more than one call.
var reused = regexp.MustCompile(`(?i)\b(re-?us(e|ed|es|ing)|shar(e|ed|ing)|(multiple|several|many) (calls|times))\b`)
