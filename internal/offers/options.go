package offers

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// option reports whether a function gives an option, whatever its name: what it gives is what a function that makes something
// takes any number of, PoolPipelineWindow(…) beside NewPool(address, opts ...PoolOpt).
func option(p *source, d *ast.FuncDecl) bool {
	if d.Recv != nil || makes(d) == "" {
		return false
	}
	if p.optional == nil {
		p.optional = map[string]bool{}
		for _, maker := range p.funcs {
			list := maker.Type.Params.List
			if !maker.Name.IsExported() || len(list) == 0 {
				continue
			}
			if rest, ok := list[len(list)-1].Type.(*ast.Ellipsis); ok && (constructs.MatchString(maker.Name.Name) || p.functional[typeOf(rest.Elt)]) {
				p.optional[typeOf(rest.Elt)] = true
			}
		}
	}
	return (ast.IsExported(makes(d)) || p.functional[makes(d)]) && p.optional[makes(d)]
}

// sized are the parameters of functions that make something which are how much a channel of it holds, with the names that the
// size is read from there: what NewPool(address, size) makes has size places.
func sized(p *source, d *ast.FuncDecl, size ast.Expr) []setting {
	if d.Recv != nil || !d.Name.IsExported() || !constructs.MatchString(d.Name.Name) || deprecated(d.Doc) {
		return nil
	}
	params, locals := map[string]string{}, assigned(d)
	for _, f := range d.Type.Params.List {
		for _, id := range f.Names {
			params[id.Name] = types.ExprString(f.Type)
		}
	}
	names := map[string]bool{}
	var walk func(e ast.Expr, deep int)
	walk = func(e ast.Expr, deep int) {
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			switch {
			case !ok:
			case settable.MatchString(params[id.Name]):
				names[id.Name] = true
			case locals[id.Name] != nil && deep < deepest:
				walk(locals[id.Name], deep+1)
			}
			return true
		})
	}
	walk(size, 0)
	var out []setting
	for _, name := range slices.Sorted(maps.Keys(names)) {
		out = append(out, setting{name: d.Name.Name + "(" + name + ")", kind: params[name], doc: saysOf(d, name), fills: name, pkg: p})
	}
	return out
}

// assigned is what the variables of a function are first made of.
func assigned(d *ast.FuncDecl) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, to := range a.Lhs {
				if id, ok := to.(*ast.Ident); ok && out[id.Name] == nil {
					out[id.Name] = a.Rhs[i]
				}
			}
		}
		return true
	})
	return out
}

// madeWhere is the names on which it depends whether a field has something: those in the conditions around where it is set.
func madeWhere(p *source, field string) []string {
	names := map[string]bool{}
	for _, d := range p.funcs {
		if d.Body == nil {
			continue
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			s, ok := n.(*ast.IfStmt)
			if !ok || !fillsField(s.Body, field) {
				return true
			}
			ast.Inspect(s.Cond, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					names[sel.Sel.Name] = true
				}
				return true
			})
			return true
		})
	}
	return slices.Sorted(maps.Keys(names))
}

// fillsField reports whether a block sets a field of a name to something that it makes.
func fillsField(b *ast.BlockStmt, field string) bool {
	is := false
	ast.Inspect(b, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, to := range a.Lhs {
				sel, ok := to.(*ast.SelectorExpr)
				if _, made := a.Rhs[i].(*ast.CallExpr); ok && made && sel.Sel.Name == field {
					is = true
				}
			}
		}
		return !is
	})
	return is
}
