package offers

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/unpark-go/unpark"
)

// grows is the function that goes through a parameter of its own within a loop through it, or through another one, where
// that is what costs: the cost then grows with the square of the length, or with the product of both. The function
// of the module that a service calls, the last of the stack, is told with it.
func (r *Reader) grows(stack []unpark.Site, f unpark.Finding) (found, bool) {
	called := stack[len(stack)-1]
	p := r.of(called)
	if e := p.funcs[local(called.Function)]; waits(f.Class) || e == nil || !e.Name.IsExported() {
		return found{}, false
	}
	for i, s := range stack {
		at := r.of(s)
		if at == nil {
			continue
		}
		d, callee := at.funcs[local(s.Function)], ""
		if d == nil || d.Body == nil {
			return found{}, false
		}
		if i > 0 {
			callee = local(stack[i-1].Function)
			callee = callee[strings.LastIndexByte(callee, '.')+1:]
		}
		if through := loops(d, callee); len(through) > 1 {
			return found{
				setting: setting{name: nameOf(d), kind: strings.Join(through[:2], " "), pkg: p}, at: called.Function, by: local(called.Function), score: 1,
			}, true
		}
		return found{}, false // what is further out is not known to be what grows
	}
	return found{}, false
}

// loops is the parameters that the loops go through around a call, or of what is deepest where there is none.
func loops(d *ast.FuncDecl, callee string) []string {
	params := map[string]string{}
	for name, kind := range parameters(d) {
		if kind == "" || kind == "string" { // a list has no name of a type
			params[name] = name
		}
	}
	var best []string
	var walk func(n ast.Node, through []string)
	walk = func(n ast.Node, through []string) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if id, ok := to.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && n.Tok == token.DEFINE {
						if of := params[ofAll(n.Rhs[i])]; of != "" {
							params[id.Name] = of // []rune(s), len(s), s
						}
					}
				}
			case *ast.RangeStmt:
				inside := through
				if of := params[ofAll(n.X)]; of != "" {
					inside = append(through[:len(through):len(through)], of)
				}
				walk(n.Body, inside)
				return false
			case *ast.ForStmt:
				inside := through
				if c, ok := n.Cond.(*ast.BinaryExpr); ok && n.Post != nil {
					if of := params[ofAll(c.Y)]; of != "" {
						inside = append(through[:len(through):len(through)], of)
					}
				}
				walk(n.Body, inside)
				return false
			case *ast.CallExpr:
				if callee != "" && lastName(n.Fun) == callee && len(through) > len(best) {
					best = through
				}
			}
			return true
		})
		if callee == "" && len(through) > len(best) {
			best = through
		}
	}
	walk(d.Body, nil)
	return best
}

// ofAll is the name of a variable that an expression is the whole of, a part of it from some place on, its length, or another
// type of.
func ofAll(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SliceExpr:
		return ofAll(e.X)
	case *ast.BinaryExpr: // len(s)-1
		return ofAll(e.X)
	case *ast.CallExpr:
		_, list := e.Fun.(*ast.ArrayType)
		if len(e.Args) == 1 && (list || lastName(e.Fun) == "len") {
			return ofAll(e.Args[0])
		}
	}
	return ""
}
