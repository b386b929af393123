package offers

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"

	"github.com/unpark-go/unpark"
)

// madeFor is what a function that a service calls makes for that call alone, where the service could make it itself and
// keep it: Search of an expression compiles it, and searches with that. It is told where making it is on the finding's way and
// does not take all that the function is given, or where what is made has a method of the function's name and keeps something
// between calls.
func (p *source) madeFor(function string, inner []unpark.Site, f unpark.Finding) (found, bool) {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || d.Body == nil {
		return found{}, false
	}
	var out found
	ast.Inspect(d.Body, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || out.score > 0 {
			return out.score == 0
		}
		for _, m := range p.called(call) {
			of := makes(m)
			if m == d || !ast.IsExported(of) || of == makes(d) || !p.made(of) && !p.asks(of) || !ofPart(d, m, call) {
				continue
			}
			by := m
			if methodOn(p, of, d.Name.Name, inner) && keeps(p, of) {
				by = constructor(p, of, m)
			} else if !onWay(p, m, inner, f) {
				continue
			}
			if by != nil && by.Name.IsExported() && !deprecated(by.Doc) && maker.MatchString(by.Name.Name) {
				out = found{setting: setting{name: nameOf(by), kind: of, doc: firstOf(by.Doc), pkg: p}, at: function, by: nameOf(d), on: true, score: 1}
			}
		}
		return true
	})
	return out, out.score > 0
}

// onWay reports whether a function lies below a call, or is a good part of what it forks to.
func onWay(p *source, m *ast.FuncDecl, inner []unpark.Site, f unpark.Finding) bool {
	is := func(s unpark.Site) bool {
		return unpark.PackageOf(s.Function) == p.path && local(s.Function) == nameOf(m)
	}
	return slices.ContainsFunc(inner, is) || slices.ContainsFunc(f.Into, func(part unpark.Part) bool { return part.Share >= goodPart && is(part.Site) })
}

// methodOn reports whether a type has a method of a name that is on a stack.
func methodOn(p *source, of, name string, stack []unpark.Site) bool {
	return slices.ContainsFunc(stack, func(s unpark.Site) bool {
		return unpark.PackageOf(s.Function) == p.path && local(s.Function) == of+"."+name
	})
}

// keeps reports whether a type was written to have something between calls: a map, or what many goroutines share.
func keeps(p *source, of string) bool {
	t := p.structs[of]
	return t != nil && (p.locks(of) || slices.ContainsFunc(t.Fields.List, func(f *ast.Field) bool {
		_, is := f.Type.(*ast.MapType)
		return is
	}))
}

// constructor is how users make a type: the function itself, or the exported one of its name.
func constructor(p *source, of string, m *ast.FuncDecl) *ast.FuncDecl {
	if m.Name.IsExported() {
		return m
	}
	d := p.funcs["New"+of]
	if d == nil || makes(d) != of {
		return nil
	}
	return d
}

// ofCall is the type that says how long a call may take, which nothing is made of.
var ofCall = regexp.MustCompile(`^context\.`)

// passing are types of what is of one request alone.
var passing = regexp.MustCompile(`^(\[\]byte|io\.\w+|\*?http\.Request)$`)

// ofPart reports whether what a call makes is made of a part of what its function is given: the rest is what it is for.
func ofPart(d, m *ast.FuncDecl, call *ast.CallExpr) bool {
	for _, f := range m.Type.Params.List {
		if kind := types.ExprString(f.Type); passing.MatchString(kind) {
			return false
		}
	}
	given := map[string]bool{}
	for _, f := range d.Type.Params.List {
		for _, id := range f.Names {
			given[id.Name] = !ofCall.MatchString(types.ExprString(f.Type))
		}
	}
	for _, arg := range call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				given[id.Name] = false
			}
			return true
		})
	}
	for _, left := range given {
		if left {
			return true
		}
	}
	return false
}
