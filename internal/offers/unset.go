package offers

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// unset is what a call need not be made for where it is given: something that is worked out, or made, only because a
// setting for it is empty.
func unset(p *source, caller unpark.Site, d, outer *ast.FuncDecl, callee unpark.Site, g conditions) []found {
	p.settings()
	var out []found
	for _, name := range slices.Sorted(maps.Keys(g.empty)) {
		if _, param := parameters(d)[name]; param {
			name = handedTo(outer, d, name)
		} else if g.locals[name] != nil {
			continue // it is of this call
		}
		sets := p.filled[name]
		if len(sets) == 0 { // it is the module's own, and made of what is set
			for _, of := range madeWhere(p, name) {
				sets = slices.Concat(sets, p.filled[of], p.set[of])
			}
		}
		for _, s := range sets {
			if p.given(s) && !s.elsewhere() {
				out = append(out, found{setting: s, at: caller.Function, by: nameOf(d), calls: local(callee.Function), way: unpark.TypeUnset, score: guard})
				break
			}
		}
	}
	return out
}

// handedTo is the name of a field that a function hands to another as a parameter; empty of anything else.
func handedTo(outer, d *ast.FuncDecl, param string) string {
	if outer == nil || outer.Body == nil {
		return ""
	}
	at, n := -1, 0
	for _, f := range d.Type.Params.List {
		for _, id := range f.Names {
			if id.Name == param {
				at = n
			}
			n++
		}
	}
	name := ""
	ast.Inspect(outer.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && at >= 0 && at < len(call.Args) && lastName(call.Fun) == d.Name.Name {
			if field, ok := call.Args[at].(*ast.SelectorExpr); ok {
				name = field.Sel.Name
			}
		}
		return true
	})
	return name
}

// isEmpty reports whether an expression is one that says that nothing was set.
func isEmpty(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.BasicLit:
		return e.Value == `""` || e.Value == "0" || e.Value == "``"
	}
	return false
}

// flagged is the parameters of what a service calls that are switches around what costs: a bool on which it depends
// whether a function on the way calls the next, and that has its name in all that lie between.
func (r *Reader) flagged(f unpark.Finding, stack []unpark.Site) []found {
	var out []found
	for i := range len(stack) - 1 {
		p := r.of(stack[i+1])
		if p == nil {
			continue
		}
		d := p.funcs[local(stack[i+1].Function)]
		name := local(stack[i].Function)
		name = name[strings.LastIndexByte(name, '.')+1:]
		if d == nil || d.Body == nil || d.Name.Name == name {
			continue
		}
		g := p.guards(d, name)
		for _, read := range slices.Sorted(maps.Keys(g.names)) {
			if parameters(d)[read] != "bool" {
				continue
			}
			if called, at := r.outermost(p, stack[i+1:], read); called != nil && suited(called, read, g.names[read]) {
				out = append(out, found{
					setting: setting{name: nameOf(called) + "(" + read + ")", kind: "bool", doc: saysOf(called, read), pkg: p}, at: at, by: nameOf(d), calls: local(stack[i].Function),
					on: g.names[read], way: unpark.TypeParameter, score: guard,
				})
			}
		}
	}
	return out
}

// outermost is the function of a package that calls the others of a stack, where all of them have a bool parameter of
// a name and it is exported; nil where not.
func (r *Reader) outermost(p *source, stack []unpark.Site, param string) (called *ast.FuncDecl, at string) {
	for _, s := range stack {
		if r.of(s) != p {
			break
		}
		d := p.funcs[local(s.Function)]
		if d == nil || parameters(d)[param] != "bool" {
			return nil, ""
		}
		called, at = d, s.Function
	}
	if called == nil || !called.Name.IsExported() || called.Recv != nil && !ast.IsExported(receiver(called)) {
		return nil, ""
	}
	return called, at
}

// suited reports whether a parameter is there for what costs: its name is that of a mode of working and it is on for that,
// or its documentation says that the other way is the cheaper one. What a call does by others is what it is asked for.
func suited(d *ast.FuncDecl, param string, on bool) bool {
	mode := slices.ContainsFunc(unpark.Words(param), func(w string) bool { return slices.Contains(work, w) || slices.Contains(switches, w) })
	return on && mode || better.MatchString(saysOf(d, param))
}
