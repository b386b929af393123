package offers

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// trials is where a function on the way tries one thing after the other until one fits: a loop through a list around the call that
// costs, which returns at the first without an error. What a service gets is most often of one sort, and that is known.
func trials(r *Reader, f unpark.Finding, stack []unpark.Site) []found {
	if waits(f.Class) {
		return nil
	}
	for i := 1; i < len(stack); i++ {
		p := r.of(stack[i])
		if p == nil {
			continue
		}
		d := p.funcs[local(stack[i].Function)]
		callee := stack[i-1].Function
		name := local(callee)
		if d == nil || d.Body == nil {
			continue
		}
		if of := triedIn(d, name[strings.LastIndexByte(name, '.')+1:]); of != "" {
			return []found{{setting: setting{name: nameOf(d), kind: of, doc: firstOf(d.Doc), pkg: p}, at: stack[i].Function, calls: unpark.WithoutTypeArguments(callee), score: 1}}
		}
	}
	return nil
}

// triedIn is the list of which a function gives one after the other to a call, up to the first without an error; empty where it does not.
func triedIn(d *ast.FuncDecl, callee string) string {
	of := ""
	ast.Inspect(d.Body, func(n ast.Node) bool {
		loop, is := n.(*ast.RangeStmt)
		if !is || of != "" || lastName(loop.X) == "" {
			return of == ""
		}
		each, _ := loop.Value.(*ast.Ident)
		if each == nil {
			return true
		}
		given, ends := false, false
		ast.Inspect(loop.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				given = given || lastName(n.Fun) == callee && slices.ContainsFunc(append(slices.Clip(n.Args), n.Fun), func(e ast.Expr) bool { return namesIn(e)[each.Name] })
			case *ast.IfStmt:
				ends = ends || fits(n.Cond) && returns(n.Body)
			}
			return true
		})
		if given && ends {
			of = lastName(loop.X)
		}
		return true
	})
	return of
}

// fits reports whether a condition is that there was no error.
func fits(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL {
		return false
	}
	x, y := lastName(b.X), lastName(b.Y)
	return y == "nil" && (x == "err" || x == "e" || strings.HasSuffix(x, "Err"))
}

// returns reports whether a block has a return or leaves the loop.
func returns(b *ast.BlockStmt) bool {
	return slices.ContainsFunc(b.List, func(s ast.Stmt) bool {
		_, is := s.(*ast.ReturnStmt)
		branch, leaves := s.(*ast.BranchStmt)
		return is || leaves && branch.Tok == token.BREAK
	})
}
