package offers

import (
	"go/ast"

	"github.com/unpark-go/unpark"
)

// ofOtherCalls reports whether a setting that the way does not read is one of other calls: exported functions come to what reads it, and neither what
// is on a stack does, nor what makes or starts something that works for all calls. A size of pages is of what lists, and not of what looks one thing up.
func ofOtherCalls(s found, stack []unpark.Site) bool {
	p := s.pkg
	on := map[*ast.FuncDecl]bool{}
	for _, at := range stack {
		if d := p.funcs[local(at.Function)]; d != nil && unpark.PackageOf(at.Function) == p.path {
			on[d] = true
		}
	}
	if s.far < deepest || len(on) == 0 {
		return false
	}
	others := false
	met := map[*ast.FuncDecl]bool{}
	for next := takers(p, s.read); len(next) > 0; next = next[1:] {
		d := next[0]
		if met[d] {
			continue
		}
		met[d] = true
		if on[d] || forAll(d) {
			return false
		}
		others = others || d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d)))
		next = append(next, readers(p, d.Name.Name)...)
	}
	return others
}

// forAll reports whether a function makes, or is, what works for all calls.
func forAll(d *ast.FuncDecl) bool {
	switch d.Name.Name {
	case "Run", "Serve", "init", "main":
		return true
	}
	return constructs.MatchString(d.Name.Name)
}

// takers is the functions that read a field or variable of a name: what only puts something into it is none, nor what has a variable of its own by that name.
func takers(p *source, name string) []*ast.FuncDecl {
	var out []*ast.FuncDecl
	for _, d := range readers(p, name) {
		if d.Body != nil && !options.MatchString(d.Name.Name) && !option(p, d) && taken(p, d, name) {
			out = append(out, d)
		}
	}
	return out
}

// taken reports whether a function reads a field or variable of a name.
func taken(p *source, d *ast.FuncDecl, name string) bool {
	put := map[ast.Node]bool{}
	found := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				put[to] = true
			}
		case *ast.KeyValueExpr:
			put[n.Key] = true
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == name && !put[n]
			put[n.Sel] = true
		case *ast.Ident:
			_, is := p.vars[name]
			found = found || is && n.Name == name && !put[n]
		}
		return !found
	})
	return found
}

// onlyPuts reports whether a function does nothing with a name but to put something into the field that has it.
func onlyPuts(d *ast.FuncDecl, name string) bool {
	all, put := 0, 0
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				if of, field := to.(*ast.SelectorExpr); field && of.Sel.Name == name {
					put++
				}
			}
		case *ast.KeyValueExpr:
			if lastName(n.Key) == name {
				put++
			}
		case *ast.Ident:
			if n.Name == name {
				all++
			}
		}
		return true
	})
	return all > 0 && all == put
}
