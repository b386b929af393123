package offers

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// pastBy reports whether a switch is asked for other work than what the way of a finding comes to: functions
// of the stack read it, only to decide whether they do something, and their call along the way is not part of that; or what
// reads it is called where a function of the stack returns before that call. Of a wait the innermost callers count as what
// happens there: what is done while something is held is beside the wait for it.
func pastBy(r *Reader, s found, class unpark.Class, stack []unpark.Site) bool {
	if s.kind != "bool" {
		return false
	}
	inner := 1
	if waits(class) {
		inner = held
	}
	asked := false
	for i, at := range stack {
		p := r.of(at)
		if p != s.pkg || p == nil {
			continue
		}
		d := p.funcs[local(at.Function)]
		if d == nil || d.Body == nil {
			continue
		}
		callee := ""
		if i > 0 {
			callee = local(stack[i-1].Function)
			callee = callee[strings.LastIndexByte(callee, '.')+1:]
		}
		reads := decides(p, d, s, callee)
		if reads != notRead && (i < inner || reads != otherwise) {
			return false
		}
		asked = asked || reads == otherwise
	}
	return asked
}

// held is how many functions of a stack may take what is waited for there: the one that does, and a helper.
const held = 2

// reading is what a function does with a switch.
type reading int

const (
	notRead   reading = iota
	otherwise         // it decides about work that the way does not come to
	onTheWay          // it may have to do with the way
)

// decides says what a function with a call along the way does with a switch.
func decides(p *source, d *ast.FuncDecl, s found, callee string) reading {
	g := p.guards(d, callee)
	if callee == "" || !g.calls(d.Body) || g.names[s.read] {
		callee = "" // then nothing is known of what is beside the way
	}
	out := notRead
	note := func(r reading) { out = max(out, r) }
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if callee == "" || g.calls(n.Body) || n.Else != nil {
				return true
			}
			if comesTo(p, n.Cond, s.read) || leaves(n.Body) && comesTo(p, n.Body, s.read) {
				note(otherwise)
			}
			if !leaves(n.Body) {
				ast.Inspect(n.Body, visit)
			}
			return false
		case *ast.Ident:
			if n.Name == s.read {
				note(onTheWay)
			}
		case *ast.CallExpr:
			along := callee != "" && lastName(n.Fun) == callee // what that one does is said where it is on the stack
			if !along && slices.ContainsFunc(p.called(n), func(of *ast.FuncDecl) bool { return of != d && readsWithin(p, of, s.read, deepest-1) }) {
				note(onTheWay)
			}
		}
		return true
	}
	ast.Inspect(d.Body, visit)
	return out
}

// comesTo reports whether code reads a name, itself or in functions of the package that it calls.
func comesTo(p *source, n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || n.Name == name
		case *ast.CallExpr:
			found = found || slices.ContainsFunc(p.called(n), func(of *ast.FuncDecl) bool { return readsWithin(p, of, name, deepest-1) })
		}
		return !found
	})
	return found
}

// readsWithin reports whether a function reads a name, or one that it calls some calls further.
func readsWithin(p *source, d *ast.FuncDecl, name string, calls int) bool {
	names, next := p.reads(d)
	if names[name] {
		return true
	}
	return calls > 0 && slices.ContainsFunc(next, func(of *ast.FuncDecl) bool { return of != d && readsWithin(p, of, name, calls-1) })
}
