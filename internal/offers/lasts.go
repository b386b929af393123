package offers

import (
	"go/ast"
	"regexp"
	"strings"

	"github.com/unpark-go/unpark"
)

// overWith are the names of methods after which what they are called on is of no further use, or is as before.
var overWith = regexp.MustCompile(`^(Close|Stop|Shutdown|Commit|Rollback|Abort|Cancel|Finish|End|Done|Flush|Release|Reset|Lock|Unlock|Drain|Destroy|Expire|Exit|Fail|Mark|Set)([A-Z]|$)`)

// lastingState is a method that a service calls which brings its receiver into a state that stays: it sets a field to true that is named after it, and is
// given nothing of a request. Where requests call it, each makes a receiver of its own, or brings it where it is already.
func lastingState(p *source, function string) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || d.Recv == nil || !ast.IsExported(receiver(d)) || d.Body == nil || len(d.Recv.List[0].Names) == 0 || overWith.MatchString(d.Name.Name) || deprecated(d.Doc) || !givesNothing(d) {
		return nil
	}
	for _, f := range d.Type.Params.List {
		if from, _, _ := strings.Cut(typeOf(f.Type), "."); from != "bool" && from != "context" {
			return nil
		}
	}
	own, state := d.Recv.List[0].Names[0].Name, ""
	stem := strings.TrimSuffix(unpark.Words(d.Name.Name)[0], "e")
	put := func(to, value ast.Expr) {
		field, is := to.(*ast.SelectorExpr)
		if is && lastName(field.X) == own && lastName(value) == "true" && strings.HasPrefix(strings.ToLower(field.Sel.Name), stem) {
			state = field.Sel.Name
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
		case *ast.CallExpr: // ready.Store(true)
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Store" && len(n.Args) == 1 {
				put(sel.X, n.Args[0])
			}
		}
		return true
	})
	if state == "" {
		return nil
	}
	return []found{{setting: setting{name: nameOf(d), kind: receiver(d), doc: firstOf(d.Doc), pkg: p}, at: function, calls: state, score: 1}}
}
