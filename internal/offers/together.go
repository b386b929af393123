package offers

import (
	"go/ast"
	"regexp"
	"slices"
)

// finishes are the names of methods by which what several calls did is done together.
var finishes = regexp.MustCompile(`^(Commit|Flush|Apply|Exec|Execute|Run|Send|Close|End|Finish|Build|Freeze)$`)

// together is what a call of a service makes for that call alone, does one thing with by the method of its own name, and finishes, where users can do
// several with one: Insert of an immutable tree begins a transaction, inserts, and commits it.
func together(p *source, function string) (found, bool) {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || d.Body == nil || deprecated(d.Doc) {
		return found{}, false
	}
	var called []string
	var makers []*ast.FuncDecl
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			called = append(called, lastName(call.Fun))
			makers = append(makers, p.called(call)...)
		}
		return true
	})
	for _, m := range makers {
		of := makes(m)
		one := p.funcs[of+"."+d.Name.Name]
		if m == d || of == receiver(d) || !m.Name.IsExported() || !ast.IsExported(of) || one == nil || one == d || !slices.Contains(called, d.Name.Name) {
			continue
		}
		for _, name := range called {
			if end := p.funcs[of+"."+name]; end != nil && finishes.MatchString(name) {
				return found{setting: setting{name: nameOf(m), kind: of, doc: firstOf(m.Doc), pkg: p}, at: function, by: nameOf(d), calls: name, score: 1}, true
			}
		}
	}
	return found{}, false
}
