package offers

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// traced follows a number back to the settings that it is from, in some packages: through variables, parameters and what callers give for them, fields and
// what they are filled from.
type traced struct {
	all   []*source
	seen  map[ast.Node]bool
	sets  []setting
	given []setting // parameters of constructors that none of the packages calls: users do
}

// found is the settings, with what users give to constructors of the same packages, or of any where there are none.
func (t *traced) found() []setting {
	return slices.Concat(t.sets, slices.DeleteFunc(t.given, func(g setting) bool {
		return len(t.sets) > 0 && !slices.ContainsFunc(t.sets, func(s setting) bool { return s.pkg == g.pkg })
	}))
}

func (t *traced) follow(p *source, in *ast.FuncDecl, e ast.Expr) {
	if t.seen[e] {
		return
	}
	t.seen[e] = true
	switch e := e.(type) {
	case *ast.ParenExpr:
		t.follow(p, in, e.X)
	case *ast.UnaryExpr:
		t.follow(p, in, e.X)
	case *ast.BinaryExpr: // n - 1
		if isLiteralNumber(e.Y) {
			t.follow(p, in, e.X)
		}
	case *ast.CallExpr:
		t.call(p, in, e)
	case *ast.Ident:
		t.variable(p, in, e)
	case *ast.SelectorExpr:
		t.field(p, in, e)
	}
}

// call follows what a call gives: a conversion, the least of several, what an atomic value has, or what a function of one line gives.
func (t *traced) call(p *source, in *ast.FuncDecl, c *ast.CallExpr) {
	name := lastName(c.Fun)
	s, selected := c.Fun.(*ast.SelectorExpr)
	switch {
	case !selected && (name == "min" || name == "max" || settable.MatchString(name)), strings.HasPrefix(name, "Load") && len(c.Args) == 1:
		for _, arg := range c.Args {
			t.follow(p, in, arg)
		}
	case selected && name == "Load":
		t.follow(p, in, s.X)
	default:
		for _, d := range p.called(c) {
			if d.Body == nil || len(d.Body.List) != 1 {
				continue
			}
			if r, is := d.Body.List[0].(*ast.ReturnStmt); is && len(r.Results) == 1 {
				t.follow(p, d, r.Results[0])
			}
		}
	}
}

// variable follows a variable of a function, of the package, or a parameter.
func (t *traced) variable(p *source, in *ast.FuncDecl, id *ast.Ident) {
	if i, _ := parameterAt(in, id.Name); i >= 0 {
		t.parameter(p, in, id, i)
		return
	}
	for _, s := range p.settings()[id.Name] {
		if s.name == id.Name && counts(p, s.kind) {
			t.sets = append(t.sets, s)
		}
	}
	ast.Inspect(in, func(n ast.Node) bool {
		if a, is := n.(*ast.AssignStmt); is && len(a.Lhs) == len(a.Rhs) {
			for i, left := range a.Lhs {
				if to, is := left.(*ast.Ident); is && to.Name == id.Name {
					t.follow(p, in, a.Rhs[i])
				}
			}
		}
		return true
	})
}

// parameter follows what callers give.
func (t *traced) parameter(p *source, in *ast.FuncDecl, id *ast.Ident, i int) {
	called := false
	for _, q := range uniquely(append([]*source{p}, t.all...)) {
		for _, name := range slices.Sorted(maps.Keys(q.funcs)) {
			from := q.funcs[name]
			ast.Inspect(from, func(n ast.Node) bool {
				c, is := n.(*ast.CallExpr)
				if !is || i >= len(c.Args) {
					return true
				}
				x, of, other := qualified(c.Fun)
				if q == p && slices.Contains(p.called(c), in) || q != p && other && x == p.name && of == in.Name.Name && in.Recv == nil {
					called = true
					t.follow(q, from, c.Args[i])
				}
				return true
			})
		}
	}
	if !called && !p.internal() {
		t.given = append(t.given, sized(p, in, id)...)
	}
}

// uniquely leaves out what is there twice, or is none.
func uniquely(all []*source) []*source {
	var out []*source
	for _, p := range all {
		if p != nil && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// field is a setting itself, has a function that sets it, or is followed to what it is filled from.
func (t *traced) field(p *source, in *ast.FuncDecl, e *ast.SelectorExpr) {
	name, of := e.Sel.Name, ownerIn(in, e.X)
	known := len(t.sets)
	for _, s := range p.settings()[name] {
		itself := s.fills == "" && strings.HasSuffix(s.name, "."+name) && (of == "" || s.name == of+"."+name)
		if counts(p, s.kind) && (itself || s.fills == name && !strings.Contains(s.name, "(")) {
			t.sets = append(t.sets, s)
		}
	}
	if len(t.sets) > known {
		return
	}
	for _, function := range slices.Sorted(maps.Keys(p.funcs)) {
		from := p.funcs[function]
		ast.Inspect(from, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				for _, elt := range n.Elts {
					if kv, is := elt.(*ast.KeyValueExpr); is && lastName(kv.Key) == name && (of == "" || typeOf(n.Type) == of) {
						t.follow(p, from, kv.Value)
					}
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					to, is := left.(*ast.SelectorExpr)
					if is && len(n.Lhs) == len(n.Rhs) && to.Sel.Name == name && (of == "" || ownerIn(from, to.X) == "" || ownerIn(from, to.X) == of) {
						t.follow(p, from, n.Rhs[i])
					}
				}
			}
			return true
		})
	}
}

// ownerIn is the type of a parameter or receiver; empty of anything else.
func ownerIn(in *ast.FuncDecl, e ast.Expr) string {
	id, is := e.(*ast.Ident)
	if !is {
		return ""
	}
	if in.Recv != nil && len(in.Recv.List[0].Names) > 0 && in.Recv.List[0].Names[0].Name == id.Name {
		return receiver(in)
	}
	return parameters(in)[id.Name]
}

// counts reports whether a type is of numbers.
func counts(p *source, kind string) bool {
	if of := p.named[kind]; of != "" {
		kind = of
	}
	return strings.HasPrefix(strings.TrimPrefix(kind, "u"), "int")
}
