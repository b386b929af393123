package offers

import (
	"go/ast"
	"maps"
	"slices"
)

// servants is how many goroutines are started, in a loop, of what is at the other end of channels at which a function waits: the bounds of these
// loops, with the functions that have them. So many take what is sent, or send what is taken.
func servants(p *source, waits *ast.FuncDecl, on []string) []made {
	var out []made
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		d := p.funcs[name]
		if d.Body == nil {
			continue
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			body, bound := loopOf(n)
			if bound == nil {
				return true
			}
			for _, s := range body.List {
				if g, ok := s.(*ast.GoStmt); ok && serves(p, g.Call, waits, on) {
					out = append(out, made{d, bound})
				}
			}
			return true
		})
	}
	return out
}

// loopOf is the body and the bound of a loop that goes so many times; nil of another.
func loopOf(n ast.Node) (body *ast.BlockStmt, bound ast.Expr) {
	switch n := n.(type) {
	case *ast.ForStmt:
		if c, ok := n.Cond.(*ast.BinaryExpr); ok && n.Post != nil {
			return n.Body, c.Y
		}
	case *ast.RangeStmt:
		if n.Value == nil {
			return n.Body, n.X
		}
	}
	return nil, nil
}

// serves reports whether what a go statement starts is at one of some channels, and is another function than the one that waits there.
func serves(p *source, call *ast.CallExpr, waits *ast.FuncDecl, on []string) bool {
	at := func(n ast.Node) bool {
		touches := touched(n)
		return slices.ContainsFunc(on, func(name string) bool { return touches[name] })
	}
	if literal, ok := call.Fun.(*ast.FuncLit); ok {
		return at(literal.Body)
	}
	return slices.ContainsFunc(p.called(call), func(d *ast.FuncDecl) bool { return d != waits && d.Body != nil && at(d.Body) })
}
