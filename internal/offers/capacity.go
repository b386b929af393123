package offers

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
)

// capacities is what the capacities of channels are read from that a function sends to or receives from: the
// names in the size of make, wherever in the package that is. How many may wait there without a partner, or have a
// place of it, is decided by these and by nothing else. Given are the parameters of what makes it that are among them.
func (p *source) capacities(d *ast.FuncDecl) (read []string, given []setting) {
	if d.Body == nil {
		return nil, nil
	}
	on := map[string]bool{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				on[lastName(n.X)] = true
			}
		case *ast.SendStmt:
			on[lastName(n.Chan)] = true
		}
		return true
	})
	names := map[string]bool{}
	for _, channel := range slices.Sorted(maps.Keys(on)) {
		for _, c := range p.channels()[channel] {
			given = append(given, sized(p, c.in, c.size)...)
			ast.Inspect(c.size, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					names[n.Sel.Name] = true
				case *ast.Ident:
					names[n.Name] = true
				}
				return true
			})
		}
	}
	return slices.Sorted(maps.Keys(names)), given
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
