package offers

import (
	"go/ast"
	"slices"

	"github.com/unpark-go/unpark"
)

// turns are the words by which the name of a function says that it turns something on or off.
var turns = words("on off enable disable enabled disabled set use with no without skip mode")

// over are the words of what something has come to, which is told and not chosen.
var over = words("closed closing stopped stopping done shutdown dead broken ready started running finished canceled cancelled failed dirty")

// toggles is which fields a function sets to true or to false and is named after: TurboOn of turbo. Close and Stop set fields
// as well, by which nothing is told apart but whether something is over.
func toggles(d *ast.FuncDecl) map[string]bool {
	own := unpark.Words(d.Name.Name)
	subject := slices.DeleteFunc(slices.Clone(own), isTurn)
	if len(subject) == len(own) || len(subject) == 0 || d.Body == nil || slices.ContainsFunc(subject, func(w string) bool { return slices.Contains(over, w) }) {
		return nil
	}
	out := map[string]bool{}
	put := func(to, value ast.Expr) {
		v, ok := value.(*ast.Ident)
		field, is := to.(*ast.SelectorExpr)
		if ok && is && (v.Name == "true" || v.Name == "false") && slices.Equal(slices.DeleteFunc(unpark.Words(field.Sel.Name), isTurn), subject) {
			out[field.Sel.Name] = v.Name == "true"
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					put(to, n.Rhs[i])
				}
			}
		case *ast.CallExpr: // turbo.Store(true)
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Store" && len(n.Args) == 1 {
				put(sel.X, n.Args[0])
			}
		}
		return true
	})
	return out
}

func isTurn(word string) bool { return slices.Contains(turns, word) }
