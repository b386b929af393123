package offers

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// refuses reports whether a function reads a name only to give an error where it is set: what its caller may not set is no setting of that call.
func refuses(d *ast.FuncDecl, name string) bool {
	if d.Body == nil || !givesError(d) {
		return false
	}
	all, refused := occurs(d.Body, name), 0
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.IfStmt); ok && s.Init == nil && isSet(s.Cond, name) && fails(s.Body) {
			refused += occurs(s, name)
			return false
		}
		return true
	})
	return refused > 0 && refused == all
}

// isSet reports whether a condition asks whether something is set at all: whether it is more or other than 0, nil or "".
func isSet(e ast.Expr, name string) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && (b.Op == token.NEQ || b.Op == token.GTR) && isEmpty(b.Y) && lastName(b.X) == name
}

// fails reports whether a block does nothing but to return an error that it makes.
func fails(b *ast.BlockStmt) bool {
	if len(b.List) != 1 {
		return false
	}
	r, ok := b.List[0].(*ast.ReturnStmt)
	return ok && len(r.Results) > 0 && types.ExprString(r.Results[len(r.Results)-1]) != "nil"
}

// givesError reports whether the last result of a function is an error.
func givesError(d *ast.FuncDecl) bool {
	all := d.Type.Results
	return all != nil && len(all.List) > 0 && types.ExprString(all.List[len(all.List)-1].Type) == "error"
}

// occurs is how often a name stands below.
func occurs(n ast.Node, name string) int {
	found := 0
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found++
		}
		return true
	})
	return found
}

// onlyTurns reports whether a setting turns something off of which its name does not say that it is shared.
func onlyTurns(s setting) bool {
	return s.kind == "bool" && !slices.ContainsFunc(s.words(), func(w string) bool { return slices.Contains(shared, w) })
}

// anotherWay reports whether a function does by a switch one of two things, and neither leaves out: where the switch decides between them, both call
// functions of the package, and after the first it has done what it is for. That the second takes less its source does not say.
func anotherWay(p *source, d *ast.FuncDecl, name string) bool {
	if d == nil || d.Body == nil {
		return false
	}
	found := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BlockStmt)
		if !ok {
			return !found
		}
		for i, s := range b.List {
			at, ok := s.(*ast.IfStmt)
			if !ok || occurs(at.Cond, name) == 0 || !callsAny(p, at.Body) {
				continue
			}
			rest := &ast.BlockStmt{List: b.List[i+1:]}
			found = found || at.Else != nil && callsAny(p, at.Else) || callsAny(p, rest) && succeeds(d, at.Body)
		}
		return !found
	})
	return found
}

// callsAny reports whether code calls a function of its package.
func callsAny(p *source, n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || len(p.called(call)) > 0
		}
		return !found
	})
	return found
}

// succeeds reports whether a function returns somewhere below without an error.
func succeeds(d *ast.FuncDecl, n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			found = found || !givesError(d) || len(r.Results) > 0 && types.ExprString(r.Results[len(r.Results)-1]) == "nil"
		}
		return !found
	})
	return found
}
