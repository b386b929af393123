package offers

import (
	"go/ast"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

// split is the two halves of a call that users may make themselves, where the first is what costs and needs only a part of what the call is given:
// TestAgent(path, agent) is FindGroup(agent) and then Test(path) of the group. What the first gives is then good for many of the second. Inner is
// what lies below the call.
func split(p *source, function string, inner []unpark.Site, f unpark.Finding) []found {
	d := p.funcs[local(function)]
	if d == nil || d.Body == nil || !d.Name.IsExported() || len(inner) == 0 || waits(f.Class) {
		return nil
	}
	first := p.funcs[local(inner[len(inner)-1].Function)]
	if unpark.PackageOf(inner[len(inner)-1].Function) != p.path || first == nil || first == d || !first.Name.IsExported() || deprecated(first.Doc) ||
		first.Recv != nil && receiver(first) != receiver(d) {
		return nil
	}
	of := makes(first)
	if !ast.IsExported(of) || p.structs[of] == nil || of == receiver(d) {
		return nil
	}
	var out []found
	result, given := "", map[string]bool{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, right := range n.Rhs {
				if call, is := right.(*ast.CallExpr); is && lastName(call.Fun) == first.Name.Name {
					result, given = lastName(n.Lhs[0]), allNames(call.Args)
				}
			}
		case *ast.CallExpr:
			s, is := n.Fun.(*ast.SelectorExpr)
			if !is {
				return true
			}
			id, named := s.X.(*ast.Ident)
			call, chained := s.X.(*ast.CallExpr)
			if chained && lastName(call.Fun) == first.Name.Name {
				given = allNames(call.Args)
			} else if !named || result == "" || id.Name != result {
				return true
			}
			second := p.funcs[of+"."+s.Sel.Name]
			if second == nil || !second.Name.IsExported() || p.runs(second)[first.Name.Name] || !needsMore(d, n.Args, given) {
				return true
			}
			out = append(out, found{setting: setting{name: of + "." + s.Sel.Name, kind: of, doc: firstOf(second.Doc), pkg: p}, at: function, by: nameOf(first), calls: first.Name.Name, score: 1})
		}
		return true
	})
	return out[:min(len(out), 1)]
}

// allNames are the names in some expressions.
func allNames(all []ast.Expr) map[string]bool {
	out := map[string]bool{}
	for _, e := range all {
		maps.Copy(out, namesIn(e))
	}
	return out
}

// needsMore reports whether the second half of a call needs a parameter of it that the first does not.
func needsMore(d *ast.FuncDecl, second []ast.Expr, first map[string]bool) bool {
	wants := allNames(second)
	return slices.ContainsFunc(d.Type.Params.List, func(f *ast.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return wants[id.Name] && !first[id.Name] })
	})
}
