package offers

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// crowded is the settings of how many may be at once in what calls the user's function, where it calls that because no place was left: a
// breaker that has so many tickets asks for the fallback of the others.
func (r *Reader) crowded(f unpark.Finding, whole []unpark.Site) []found {
	if !waits(f.Class) {
		return nil
	}
	for i := max(1, len(r.within(whole))); i < len(whole); i++ {
		p := r.of(whole[i])
		if p == nil {
			continue
		}
		d := p.funcs[local(whole[i].Function)]
		if d == nil || d.Body == nil {
			continue
		}
		channels := refused(p, d, nameOnly(whole[i-1].Function), whole[i].Line)
		if len(channels) == 0 && i == len(whole)-1 { // of a deep stack the rest is cut off
			d, channels = refusedAbove(p, d)
		}
		if len(channels) > 0 {
			return places(p, whole[i], d, channels)
		}
	}
	return nil
}

// nameOnly is the name of a function without that of its type.
func nameOnly(function string) string {
	name := local(function)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// refusedAbove is the same of what calls a function, as far as that is one function of the package alone.
func refusedAbove(p *source, d *ast.FuncDecl) (*ast.FuncDecl, []string) {
	for range deepest {
		var callers []*ast.FuncDecl
		for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
			if c := p.funcs[name]; c != d && c.Body != nil && slices.ContainsFunc(c.Body.List, func(s ast.Stmt) bool { return callsAt(p, s, d.Name.Name, 0) }) {
				callers = append(callers, c)
			}
		}
		if len(callers) != 1 {
			return nil, nil
		}
		if channels := refused(p, callers[0], d.Name.Name, 0); len(channels) > 0 {
			return callers[0], channels
		}
		d = callers[0]
	}
	return nil, nil
}

// places is the settings of how many places some channels have.
func places(p *source, at unpark.Site, d *ast.FuncDecl, channels []string) []found {
	read, given := capacitiesOf(p, channels)
	var out []found
	for _, s := range given {
		out = append(out, found{setting: s, at: at.Function, by: nameOf(d), score: guard})
	}
	known := p.known()
	for _, name := range read {
		for _, s := range known[name] {
			if !s.elsewhere() {
				out = append(out, found{setting: s, at: at.Function, by: nameOf(d), score: guard, far: untaken(p, s), read: name})
			}
		}
	}
	return out
}

// untaken is 0 of a setting in a struct that an exported function takes, and 1 of another: it is what that is made into.
func untaken(p *source, s setting) int {
	of, _, field := strings.Cut(s.name, ".")
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		if d := p.funcs[name]; field && d.Name.IsExported() && takes(d, of) {
			return 0
		}
	}
	if field {
		return 1
	}
	return 0
}

// refused is the channels that a function found full, or empty, where it makes a call in a line: the call is what a select does by default.
func refused(p *source, d *ast.FuncDecl, callee string, line int) []string {
	var out []string
	ast.Inspect(d.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectStmt)
		if !ok {
			return true
		}
		var on []string
		instead := false
		for _, c := range s.Body.List {
			c := c.(*ast.CommClause)
			if c.Comm == nil {
				instead = slices.ContainsFunc(c.Body, func(s ast.Stmt) bool { return callsAt(p, s, callee, line) })
			} else if name := channelOf(c.Comm); name != "" {
				on = append(on, name)
			}
		}
		if instead {
			out = append(out, on...)
		}
		return true
	})
	return out
}

// channelOf is the channel that a clause of a select sends to or receives from.
func channelOf(s ast.Stmt) string {
	name := ""
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				name = lastName(n.X)
			}
		case *ast.SendStmt:
			name = lastName(n.Chan)
		}
		return name == ""
	})
	return name
}

// callsAt reports whether a statement calls a function, in a line where lines are known.
func callsAt(p *source, s ast.Stmt, callee string, line int) bool {
	is := false
	ast.Inspect(s, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && lastName(c.Fun) == callee {
			is = is || p.fset == nil || line == 0 || p.fset.Position(c.Pos()).Line <= line && line <= p.fset.Position(c.End()).Line
		}
		return !is
	})
	return is
}
