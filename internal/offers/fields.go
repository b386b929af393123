package offers

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// decodes are the first words of the names of functions that put what they read into what they are given, and holders the names of
// the parameters for that.
var (
	decodes = words("decode unmarshal lookup scan bind load read get find fetch parse convert all one")
	holders = words("v result results out output dst dest target to into val value dat obj res rec record row rows ptr holder i x")
)

// decoded is the parameter of any type that a function fills by reflection with what it decodes, where that is what costs: what a type has
// no place for need not be decoded. Inner is what lies below the call.
func decoded(p *source, function string, inner []unpark.Site) (found, bool) {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || d.Body == nil || deprecated(d.Doc) || !slices.Contains(decodes, unpark.Words(d.Name.Name)[0]) {
		return found{}, false
	}
	reflects := func(s unpark.Site) bool { // a parser that runs before anything is filled has all of the text to go through, whatever the type
		below := p.funcs[local(s.Function)]
		return unpark.PackageOf(s.Function) == p.path && below != nil && below.Body != nil && (!below.Name.IsExported() && directly(p, below) || takesReflected(below))
	}
	if len(inner) == 0 && !p.runs(d)["reflect"] || len(inner) > 0 && !slices.ContainsFunc(inner, reflects) {
		return found{}, false
	}
	for _, f := range d.Type.Params.List {
		if !anyType(f.Type) {
			continue
		}
		for _, id := range f.Names {
			if slices.Contains(holders, strings.ToLower(id.Name)) {
				return found{setting: setting{name: nameOf(d), kind: id.Name, doc: saysOf(d, id.Name), pkg: p}, at: function, score: 1}, true
			}
		}
	}
	return found{}, false
}

// anyType reports whether a type is that of anything.
func anyType(e ast.Expr) bool {
	t := types.ExprString(e)
	return t == "any" || strings.ReplaceAll(t, " ", "") == "interface{}"
}

// directly reports whether a function itself uses reflection.
func directly(p *source, d *ast.FuncDecl) bool {
	names, _ := p.reads(d)
	return names["reflect"]
}

// takesReflected reports whether a function is given what it fills as a value of package reflect.
func takesReflected(d *ast.FuncDecl) bool {
	return slices.ContainsFunc(d.Type.Params.List, func(f *ast.Field) bool { from, _, _ := strings.Cut(typeOf(f.Type), "."); return from == "reflect" })
}
