package offers

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/unpark-go/unpark"
)

// provenance is where a value comes from.
type provenance int

const (
	ofNothing provenance = iota // a literal, or it was not found
	ofService                   // what was there before the request: a field of a receiver, a variable of the package, or what these give
	ofKey                       // a word of the request by which things are found
	ofRequest                   // what the request has
)

// comesOf says where an expression in the innermost function of a stack comes from: by its variables, and by its parameters in the functions that call it. A
// parameter of the outermost of the user's own functions is of the request.
func comesOf(r *Reader, stack []unpark.Site, e ast.Expr) provenance {
	a, function, _ := r.own.at(stack[0])
	if a == nil {
		return ofRequest
	}
	w := &origins{r: r, a: a, stack: stack, function: function, whole: a.declaring(function), seen: map[string]bool{}}
	return w.of(e)
}

// origins is a function that values are followed in.
type origins struct {
	r               *Reader
	a               *application
	stack           []unpark.Site // the function itself first
	function, whole ast.Node      // whole is the declared one around it
	seen            map[string]bool
}

func (w *origins) of(e ast.Expr) provenance {
	switch e := e.(type) {
	case *ast.Ident:
		return w.name(e.Name)
	case *ast.SelectorExpr:
		return w.of(e.X)
	case *ast.IndexExpr:
		return w.of(e.X)
	case *ast.SliceExpr:
		return w.of(e.X)
	case *ast.ParenExpr:
		return w.of(e.X)
	case *ast.StarExpr:
		return w.of(e.X)
	case *ast.UnaryExpr:
		return w.of(e.X)
	case *ast.BinaryExpr:
		return max(w.of(e.X), w.of(e.Y))
	case *ast.CallExpr:
		return w.call(e)
	}
	return ofNothing
}

// call is where what a call gives comes from: from what it is called on, unless it is given what the request has. Of the request a word that is asked for
// by its name is a key.
func (w *origins) call(c *ast.CallExpr) provenance {
	given := ofNothing
	for _, arg := range c.Args {
		given = max(given, w.of(arg))
	}
	s, method := c.Fun.(*ast.SelectorExpr)
	switch name := lastName(c.Fun); {
	case method:
	case name == "append" && len(c.Args) > 0 && w.of(c.Args[0]) != ofNothing: // what there is, and one more
		return w.of(c.Args[0])
	case given == ofNothing && len(w.a.funcs[name]) > 0:
		return ofService
	default:
		return given
	}
	if x, is := s.X.(*ast.Ident); is && w.a.imported(c.Pos(), x.Name) != "" {
		return given
	}
	on := w.of(s.X)
	switch {
	case on == ofRequest && (s.Sel.Name == "Context" || len(c.Args) == 1 && isWord(c.Args[0])):
		return ofKey
	case on == ofService && given == ofKey:
		return ofService
	}
	return max(on, given)
}

// isWord reports whether an expression is a literal of a string.
func isWord(e ast.Expr) bool {
	l, is := e.(*ast.BasicLit)
	return is && l.Kind == token.STRING
}

// name is where a variable comes from: all that is put into it counts.
func (w *origins) name(name string) provenance {
	if w.seen[name] || name == "_" || name == "nil" {
		return ofNothing
	}
	w.seen[name] = true
	defer delete(w.seen, name)
	if i, kind := parameterAt(w.function, name); i >= 0 {
		return w.parameter(i, kind)
	}
	if d, is := w.whole.(*ast.FuncDecl); is {
		if d.Recv != nil && len(d.Recv.List[0].Names) > 0 && d.Recv.List[0].Names[0].Name == name {
			return ofService
		}
		if i, kind := parameterAt(d, name); i >= 0 && w.function == w.whole {
			return w.parameter(i, kind)
		}
	}
	out, own := ofNothing, false
	ast.Inspect(w.whole, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, is := left.(*ast.Ident); is && id.Name == name {
					own, out = true, max(out, w.of(n.Rhs[min(i, len(n.Rhs)-1)]))
				}
			}
		case *ast.RangeStmt:
			if n.Key != nil && lastName(n.Key) == name || n.Value != nil && lastName(n.Value) == name {
				own, out = true, max(out, w.of(n.X))
			}
		case *ast.ValueSpec:
			if i := slices.IndexFunc(n.Names, func(id *ast.Ident) bool { return id.Name == name }); i >= 0 {
				own = true
				if len(n.Values) > 0 {
					out = max(out, w.of(n.Values[min(i, len(n.Values)-1)]))
				}
			}
		case *ast.CallExpr: // Decode(&v)
			if slices.ContainsFunc(n.Args, func(e ast.Expr) bool {
				at, is := e.(*ast.UnaryExpr)
				return is && at.Op == token.AND && lastName(at.X) == name
			}) {
				out = max(out, w.call(n))
			}
		}
		return true
	})
	if !own && w.a.variable(name) {
		return ofService
	}
	return out
}

// parameter is where what the user's own caller gives comes from.
func (w *origins) parameter(i int, kind string) provenance {
	if ofCall.MatchString(kind) {
		return ofKey
	}
	if len(w.stack) < 2 || w.function != w.whole {
		return ofRequest
	}
	a, function, _ := w.r.own.at(w.stack[1])
	if a == nil {
		return ofRequest
	}
	out, name := ofRequest, w.function.(*ast.FuncDecl).Name.Name
	ast.Inspect(function, func(n ast.Node) bool {
		c, is := n.(*ast.CallExpr)
		if is && lastName(c.Fun) == name && a.within(c, w.stack[1].Line) && i < len(c.Args) {
			out = comesOf(w.r, w.stack[1:], c.Args[i])
		}
		return true
	})
	return out
}

// parameterAt is which of a function's parameters has a name, and its type; below 0 where none has.
func parameterAt(function ast.Node, name string) (i int, kind string) {
	t, _ := function.(*ast.FuncLit)
	of := (*ast.FuncType)(nil)
	if d, is := function.(*ast.FuncDecl); is {
		of = d.Type
	} else if t != nil {
		of = t.Type
	}
	if of == nil {
		return -1, ""
	}
	for _, f := range of.Params.List {
		for _, id := range f.Names {
			if id.Name == name {
				return i, types.ExprString(f.Type)
			}
			i++
		}
	}
	return -1, ""
}

// variable reports whether a package declares a variable.
func (a *application) variable(name string) bool {
	for _, f := range a.files {
		for _, d := range f.Decls {
			g, is := d.(*ast.GenDecl)
			if is && g.Tok == token.VAR && slices.ContainsFunc(g.Specs, func(s ast.Spec) bool {
				return slices.ContainsFunc(s.(*ast.ValueSpec).Names, func(id *ast.Ident) bool { return id.Name == name })
			}) {
				return true
			}
		}
	}
	return false
}
