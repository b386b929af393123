package offers

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// capacities is what the capacities of channels are read from that a function sends to or receives from: the
// names in the size of make, wherever in the package that is. How many may wait there without a partner, or have a
// place of it, is decided by these, and by how many goroutines are at the other end. Given are the parameters of what makes it that are among them;
// idle is what the capacities are read from that have nothing to do with a wait there: of channels that are only received from.
func (p *source) capacities(d *ast.FuncDecl, way direction) (read, idle []string, given []setting) {
	if d.Body == nil {
		return nil, nil, nil
	}
	bounds, others := widened(p, d, way)
	read, given = capacitiesOf(p, bounds)
	idle, _ = capacitiesOf(p, others)
	for _, by := range servants(p, d, slices.Concat(bounds, others)) {
		names := namesIn(by.size)
		read = append(read, slices.Sorted(maps.Keys(names))...)
		given = append(given, sized(p, by.in, by.size)...)
	}
	return read, slices.DeleteFunc(idle, func(name string) bool { return slices.Contains(read, name) }), given
}

// bounded leaves of the settings for a wait at a channel those by which it has its size, where the innermost function of modules on the stack waits
// at one that has a setting: what else has fitting names is not what requests wait for there.
func bounded(f unpark.Finding, stack []unpark.Site, all []found) []found {
	isBound := func(s found) bool { return s.waited && atChannel(f, stack, s) }
	if !slices.ContainsFunc(all, isBound) {
		for i := range all {
			all[i].waited = false
		}
		return all
	}
	out := slices.DeleteFunc(slices.Clone(all), func(s found) bool { return !s.sizes && s.score < guard })
	for i := range out {
		out[i].waited = isBound(out[i])
	}
	return out
}

// atChannel reports whether the function that reads a setting is the one that waits at a channel, with nothing but the runtime below.
func atChannel(f unpark.Finding, stack []unpark.Site, s found) bool {
	if f.Class != unpark.ClassChannel && f.Class != unpark.ClassPool && f.Class != unpark.ClassRateLimit {
		return false
	}
	for _, at := range stack {
		if roles.Is(at.Function, roles.Runtime) {
			continue
		}
		return at.Function == s.at
	}
	return false
}

// capacitiesOf is the same of channels by their names.
func capacitiesOf(p *source, on []string) (read []string, given []setting) {
	names := map[string]bool{}
	for _, channel := range on {
		for _, c := range p.channels()[channel] {
			given = append(given, sized(p, c.in, c.size)...)
			maps.Copy(names, namesIn(c.size))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) { // of a field what it is filled from
		for _, from := range filledFrom(p, name) {
			names[from] = true
		}
	}
	return slices.Sorted(maps.Keys(names)), given
}

// filledFrom is the fields that a field of the package is filled from, as they are, or by way of a variable of the function that fills it.
func filledFrom(p *source, field string) []string {
	if p.from == nil {
		p.from = map[string][]string{}
		for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
			if d := p.funcs[name]; d.Body != nil {
				fillings(p, d)
			}
		}
	}
	return p.from[field]
}

// fillings keeps which fields a function fills from which.
func fillings(p *source, d *ast.FuncDecl) {
	made := locals(d)
	put := func(to, value ast.Expr) {
		if id, ok := value.(*ast.Ident); ok && made[id.Name] != nil {
			value = made[id.Name]
		}
		if from, ok := value.(*ast.SelectorExpr); ok && from.Sel.Name != lastName(to) && !slices.Contains(p.from[lastName(to)], from.Sel.Name) {
			p.from[lastName(to)] = append(p.from[lastName(to)], from.Sel.Name)
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if _, field := to.(*ast.SelectorExpr); field && len(n.Rhs) == len(n.Lhs) {
					put(to, n.Rhs[i])
				}
			}
		case *ast.KeyValueExpr:
			put(n.Key, n.Value)
		}
		return true
	})
}

// touched is the channels that are sent to or received from somewhere below.
func touched(n ast.Node) map[string]bool {
	on := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				on[lastName(n.X)] = true
			}
		case *ast.SendStmt:
			on[lastName(n.Chan)] = true
		case *ast.RangeStmt:
			on[lastName(n.X)] = true
		}
		return true
	})
	delete(on, "")
	return on
}

// namesIn is the names of fields and variables in an expression.
func namesIn(e ast.Expr) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			names[n.Sel.Name] = true
		case *ast.Ident:
			names[n.Name] = true
		}
		return true
	})
	return names
}

// made is the size that a channel is made with, and the function that does so.
type made struct {
	in   *ast.FuncDecl
	size ast.Expr
}

// channels is the sizes that channels are made with, by the name of the field or variable that has one.
func (p *source) channels() map[string][]made {
	if p.chans != nil {
		return p.chans
	}
	p.chans = map[string][]made{}
	var in *ast.FuncDecl
	put := func(to, value ast.Expr) {
		call, ok := value.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || lastName(call.Fun) != "make" {
			return
		}
		if _, ok := call.Args[0].(*ast.ChanType); ok {
			p.chans[lastName(to)] = append(p.chans[lastName(to)], made{in, call.Args[1]})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		in = p.funcs[name]
		ast.Inspect(in, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if len(n.Rhs) == len(n.Lhs) {
						put(to, n.Rhs[i])
					}
				}
			case *ast.KeyValueExpr:
				put(n.Key, n.Value)
			}
			return true
		})
	}
	return p.chans
}

// lastName is the name of a variable, or of a field whatever it belongs to; empty of anything else.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
