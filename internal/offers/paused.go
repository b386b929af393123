package offers

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// paused is the settings of how long goroutines sleep that requests wait for, by the trace: a worker that found nothing to do looks again after a time,
// and what comes meanwhile waits until then. Behind is the functions of modules on those.
func paused(r *Reader, f unpark.Finding, behind []unpark.Site) []found {
	if f.Class != unpark.ClassChannel && f.Class != unpark.ClassDownstream && f.Class != unpark.ClassRateLimit {
		return nil
	}
	var out []found
	for _, at := range behind {
		p := r.of(at)
		if p == nil || p.funcs[local(at.Function)] == nil {
			continue
		}
		d, known := p.funcs[local(at.Function)], p.known()
		for _, name := range pauses(d) {
			for _, read := range append(slices.Clip(filledFrom(p, name)), name) {
				for _, s := range known[read] {
					if timed(s) && !s.elsewhere() {
						out = append(out, found{setting: s, at: at.Function, by: nameOf(d), score: guard, read: name})
					}
				}
			}
		}
	}
	return out
}

// timed reports whether a setting is a time.
func timed(s setting) bool { return strings.HasSuffix(s.kind, "Duration") }

// sleeps are the functions of package time by which a goroutine waits.
var sleeps = words("Sleep After NewTimer NewTicker Tick")

// pauses is the names that say how long a function sleeps.
func pauses(d *ast.FuncDecl) []string {
	if d.Body == nil {
		return nil
	}
	names := map[string]bool{}
	var made map[string]ast.Expr
	var take func(e ast.Expr, deep int)
	take = func(e ast.Expr, deep int) {
		for name := range namesIn(e) {
			names[name] = true
			if of := made[name]; of != nil && deep < deepest {
				take(of, deep+1)
			}
		}
	}
	made = locals(d)
	ast.Inspect(d.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		if of, ok := call.Fun.(*ast.SelectorExpr); ok && lastName(of.X) == "time" && slices.Contains(sleeps, of.Sel.Name) {
			take(call.Args[0], 0)
		}
		return true
	})
	return slices.Sorted(maps.Keys(names))
}

// locals is what the variables of a function were made of first.
func locals(d *ast.FuncDecl) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == len(a.Rhs) {
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
