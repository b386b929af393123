package offers

import (
	"go/ast"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// steady are the words of a function that gives the same for the same.
var steady = words("deterministic pure constant cached memoized")

// callbacks is how a module is told that a function of the user's gives the same for the same arguments, where it calls that within a call of
// the service: it need not call it for each row, or element, then.
func callbacks(r *Reader, f unpark.Finding, whole []unpark.Site) []found {
	if waits(f.Class) {
		return nil
	}
	own := func(s unpark.Site) bool {
		_, _, _, module := s.Module()
		return !module && s.File != "" && !roles.Is(s.Function, roles.Standard)
	}
	var user unpark.Site // the last function of the service's before the module's
	for i, s := range whole {
		if own(s) {
			user = s
			continue
		}
		p := r.of(s)
		if p == nil || user.Function == "" || !slices.ContainsFunc(whole[i:], own) {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
			d := p.funcs[name]
			words := unpark.Words(d.Name.Name)
			if d.Recv == nil && d.Name.IsExported() && words[0] == "register" && !deprecated(d.Doc) && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(steady, w) }) &&
				slices.ContainsFunc(d.Type.Params.List, func(f *ast.Field) bool { _, is := f.Type.(*ast.FuncType); return is }) {
				return []found{{setting: setting{name: name, kind: "func", doc: firstOf(d.Doc), pkg: p}, at: s.Function, calls: user.Function, score: 1}}
			}
		}
		return nil // the innermost module that calls it
	}
	return nil
}
