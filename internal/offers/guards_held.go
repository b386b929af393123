package offers

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/unpark-go/unpark"
)

// guardsAt is the conditions of the call by which a function comes to the next one on a stack. Where it makes no call of that name, it is what it
// calls on the line that the profile has of it, there alone: what Go's own packages do on the way, as io.Copy before the Read and Write that it
// is given, is left out of stacks.
func guardsAt(p *source, d *ast.FuncDecl, name string, caller unpark.Site) conditions {
	called, makes := "", false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is {
			of := lastName(call.Fun)
			makes = makes || of == name
			if called == "" && p.fset != nil && caller.Line > 0 && p.fset.Position(call.Pos()).Line == caller.Line {
				called = of
			}
		}
		return true
	})
	if makes || called == "" {
		return p.guards(d, name)
	}
	return conditionsOf(p, d, conditions{callee: called, line: caller.Line})
}

// there reports whether a call is on the line that is looked at.
func (g conditions) there(call *ast.CallExpr) bool {
	return g.line == 0 || g.p.fset.Position(call.Pos()).Line == g.line
}

// heldOf is all that holds under some conditions, as it is written.
func heldOf(under []condition) map[string]bool {
	out := map[string]bool{}
	for _, c := range under {
		if c.holds {
			for _, part := range conjuncts(c.Expr) {
				out[types.ExprString(part)] = true
			}
		}
	}
	return out
}

// given reports whether a condition holds in any case, or asks only if there is something to read a setting from: of a conjunction that does
// not hold it is then the rest that decides.
func (g conditions) given(e ast.Expr) bool {
	for _, part := range conjuncts(e) {
		if !whether(part) && !g.held[types.ExprString(part)] {
			return false
		}
	}
	return true
}

// conjuncts are the parts of a condition that must all hold for it.
func conjuncts(e ast.Expr) []ast.Expr {
	if b, is := ast.Unparen(e).(*ast.BinaryExpr); is && b.Op == token.LAND {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []ast.Expr{ast.Unparen(e)}
}
