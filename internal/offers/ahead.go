package offers

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

// ahead is what does before requests come what a function on a finding's way does for the first that comes, and not again: an exported method
// without parameters, of the same type, that does little but call it (Build of an index that is built by the first query).
func (r *Reader) ahead(f unpark.Finding, stack []unpark.Site) []found {
	if waits(f.Class) && f.Class != unpark.ClassLock {
		return nil
	}
	for i, s := range stack {
		p := r.of(s)
		if p == nil || i == 0 {
			continue
		}
		d := p.funcs[local(s.Function)]
		if d == nil || d.Body == nil || d.Recv == nil || d.Name.IsExported() || !leavesEarly(d) {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
			other := p.funcs[name]
			little := other.Body != nil && len(other.Body.List) <= askedFor && len(other.Type.Params.List) == 0 && givesNothing(other)
			if !little || !other.Name.IsExported() || receiver(other) != receiver(d) || deprecated(other.Doc) || enders.MatchString(other.Name.Name) {
				continue
			}
			if slices.ContainsFunc(other.Body.List, func(s ast.Stmt) bool { return callsAt(p, s, d.Name.Name, 0) }) {
				return []found{{setting: setting{name: name, kind: receiver(d), doc: firstOf(other.Doc), pkg: p}, at: s.Function, by: nameOf(d), score: 1}}
			}
		}
	}
	return nil
}

// leavesEarly reports whether a function does what it is for under a condition alone, that is the first of what it does: it returns where it is done.
func leavesEarly(d *ast.FuncDecl) bool {
	for i, s := range d.Body.List {
		at, is := s.(*ast.IfStmt)
		if is && (leaves(at.Body) || i == len(d.Body.List)-1 && at.Else == nil) {
			return true
		}
		if _, assigns := s.(*ast.AssignStmt); !assigns && !is {
			return false
		}
	}
	return false
}

// givesNothing reports whether a function has no result but an error.
func givesNothing(d *ast.FuncDecl) bool {
	all := d.Type.Results
	return all == nil || len(all.List) == 0 || len(all.List) == 1 && types.ExprString(all.List[0].Type) == "error"
}
