package offers

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// deciding is the options by which users decide whether a call is made, that have neither a size nor a mode: what is asked is a value of theirs, as for
// which levels stacks are recorded; and those of which one is enough for it.
func deciding(p *source, at string, d *ast.FuncDecl, g conditions) []found {
	p.settings()
	known := p.known()
	var out []found
	take := func(of []setting, read, way string) {
		for _, s := range of {
			if s.optional && !s.elsewhere() && !strings.HasPrefix(s.kind, "int") && !slices.ContainsFunc(out, func(o found) bool { return o.name == s.name }) {
				out = append(out, found{setting: s, at: at, by: nameOf(d), calls: g.callee, on: true, way: way, score: guard - 1, read: read})
			}
		}
	}
	for _, read := range slices.Sorted(maps.Keys(g.names)) {
		if g.names[read] {
			take(p.filled[read], read, unpark.TypeDecides)
		}
	}
	for _, read := range slices.Sorted(maps.Keys(g.either)) {
		if g.either[read] && !g.names[read] {
			take(slices.Concat(p.filled[read], known[read]), read, either)
		}
	}
	return out
}

// either is the way of a setting beside others of which one is enough.
const either = "either"
