package offers

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// chosen is the settings by which another function takes the place of one on a finding's way that is called by a field: NewReader puts into
// next what reads one row, or what reads many where chunk is more than 1.
func (r *Reader) chosen(stack []unpark.Site) []found {
	var out []found
	for i := range len(stack) - 1 {
		p := r.of(stack[i])
		if p == nil || p != r.of(stack[i+1]) {
			continue
		}
		d, callee := p.funcs[local(stack[i+1].Function)], p.funcs[local(stack[i].Function)]
		if d == nil || callee == nil || d == callee || d.Body == nil {
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(placed(p))) {
			all := placed(p)[field]
			if slices.ContainsFunc(all, func(a placing) bool { return a.of == callee.Name.Name }) && callsBy(d, field) {
				out = append(out, instances(p, stack[i+1], callee, field, all)...)
			}
		}
	}
	return out
}

// placing is a function that is put into a field, and where.
type placing struct {
	of string
	in *ast.FuncDecl
}

// instances is the settings that the conditions read under which other functions are put into the field of one.
func instances(p *source, caller unpark.Site, callee *ast.FuncDecl, field string, all []placing) []found {
	known, out := p.known(), []found(nil)
	for _, a := range all {
		if a.of == callee.Name.Name {
			continue
		}
		g := conditionsOf(p, a.in, conditions{callee: a.of, field: field})
		for _, read := range slices.Sorted(maps.Keys(g.names)) {
			at := slices.IndexFunc(known[read], func(s setting) bool { return p.given(s) && !s.elsewhere() })
			if at < 0 {
				continue
			}
			s := known[read][at]
			if old := slices.IndexFunc(out, func(o found) bool { return o.name == s.name }); old >= 0 {
				if !strings.Contains(out[old].calls, a.of) {
					out[old].calls = a.of + " or " + out[old].calls
				}
				continue
			}
			out = append(out, found{
				setting: s, at: caller.Function, by: nameOf(a.in), calls: a.of + " in place of " + callee.Name.Name, way: unpark.TypeChosen, score: guard,
			})
		}
	}
	return out
}

// placed is the functions of the package that are put into fields, by the names of these.
func placed(p *source) map[string][]placing {
	if p.placings != nil {
		return p.placings
	}
	p.placings = map[string][]placing{}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		in := p.funcs[name]
		if in.Body == nil {
			continue
		}
		ast.Inspect(in.Body, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
				for i, to := range a.Lhs {
					field, is := to.(*ast.SelectorExpr)
					of := lastName(a.Rhs[i])
					if is && of != "" && of != field.Sel.Name && len(p.methods[of]) > 0 && !slices.Contains(p.placings[field.Sel.Name], placing{of, in}) {
						p.placings[field.Sel.Name] = append(p.placings[field.Sel.Name], placing{of, in})
					}
				}
			}
			return true
		})
	}
	return p.placings
}

// callsBy reports whether a function calls what is in a field.
func callsBy(d *ast.FuncDecl, field string) bool {
	is := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			sel, method := c.Fun.(*ast.SelectorExpr)
			is = is || method && sel.Sel.Name == field
		}
		return !is
	})
	return is
}
