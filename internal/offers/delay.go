package offers

import (
	"go/ast"
	"slices"

	"github.com/unpark-go/unpark"
)

// sleepers are the functions of package time that wait for as long as they are told, or make what does.
var sleepers = []string{"After", "Sleep", "NewTimer", "NewTicker", "Tick", "AfterFunc", "Reset"}

// delays is what a finding of a wait for a timer is offered.
func (r *Reader) delays(f unpark.Finding, stack []unpark.Site) []found {
	if f.Class != unpark.ClassRateLimit {
		return nil
	}
	if d, ok := r.delay(stack); ok {
		return []found{d}
	}
	return nil
}

// delay is the parameter of a call that the service makes by which a module decides how long it waits: followed from
// what it gives its timer, through the calls within its package, to the function that the service calls.
func (r *Reader) delay(stack []unpark.Site) (found, bool) {
	for i, s := range stack {
		p := r.of(s)
		if p == nil || p.funcs[local(s.Function)] == nil {
			continue
		}
		d := p.funcs[local(s.Function)]
		waits := d
		param := given(d, func(call *ast.CallExpr) ast.Expr {
			if len(call.Args) > 0 && slices.Contains(sleepers, lastName(call.Fun)) {
				return call.Args[0]
			}
			return nil
		})
		for _, above := range stack[i+1:] {
			if param == "" {
				break
			}
			outer := p.funcs[local(above.Function)]
			if r.of(above) != p || outer == nil {
				break
			}
			if outer == d { // a closure of it
				continue
			}
			at := slices.Index(namesOf(d.Type.Params), param)
			callee := d.Name.Name
			d = outer
			param = given(d, func(call *ast.CallExpr) ast.Expr {
				if at >= 0 && at < len(call.Args) && lastName(call.Fun) == callee {
					return call.Args[at]
				}
				return nil
			})
		}
		if param == "" || !d.Name.IsExported() {
			return found{}, false
		}
		return found{setting: setting{name: nameOf(d), kind: param, doc: firstOf(d.Doc), pkg: p}, at: s.Function, by: nameOf(waits), score: 1}, true
	}
	return found{}, false
}

// given is the parameter of a function that it hands on as it is, where a call takes it; empty where it hands on something else.
func given(d *ast.FuncDecl, arg func(*ast.CallExpr) ast.Expr) string {
	out := ""
	if d.Body == nil {
		return ""
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && out == "" {
			if id, ok := arg(call).(*ast.Ident); ok && slices.Contains(namesOf(d.Type.Params), id.Name) {
				out = id.Name
			}
		}
		return out == ""
	})
	return out
}

// namesOf is the names of parameters, one for each.
func namesOf(list *ast.FieldList) []string {
	var out []string
	for _, f := range list.List {
		for _, id := range f.Names {
			out = append(out, id.Name)
		}
	}
	return out
}
