package offers

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/unpark-go/unpark"
)

// rebuilt is a value of a module that a function of the user's own makes, and fills in a loop over all of something that was there before the request:
// a tree, an index, a set, of which one could be kept and what is new added to it. What is written for one answer, what is kept, and what is given on is
// none, nor what is filled with what the request itself asks for.
func rebuilt(r *Reader, f unpark.Finding, whole []unpark.Site) []found {
	if f.Class != unpark.ClassCPU && f.Class != unpark.ClassAlloc {
		return nil
	}
	for i := 1; i < len(whole); i++ {
		p := r.of(whole[i-1])
		a, function, loop := r.own.at(whole[i])
		if p == nil || a == nil || loop == nil {
			continue
		}
		m := p.funcs[local(whole[i-1].Function)]
		if m == nil || !m.Name.IsExported() || m.Recv == nil || ofOneRequest.MatchString(receiver(m)) || joins(p, receiver(m)) {
			continue
		}
		of := throughAll(loop)
		call, name := filledBy(a, loop, whole[i].Line, m.Name.Name)
		if of == nil || call == nil {
			continue
		}
		maker := madeBefore(p, function, loop, name, receiver(m))
		if maker == nil || !usedUp(function, loop, name) || comesOf(r, whole[i:], of) != ofService {
			continue
		}
		at, all := a.fset.Position(call.Pos()), types.ExprString(of)
		if len(all) > longestRange {
			all = "what there is"
		}
		return []found{{
			setting: setting{name: all, kind: receiver(m), pkg: p}, at: unpark.WithoutTypeArguments(whole[i].Function), by: nameOf(m),
			calls: fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line), on: pointed(maker), score: 1,
		}}
	}
	return nil
}

// throughAll is what a loop goes through, with a turn for each; nil of a count, and of one that is left early.
func throughAll(loop ast.Node) ast.Expr {
	switch l := loop.(type) {
	case *ast.RangeStmt:
		if !leftEarly(l.Body) {
			return l.X
		}
	case *ast.ForStmt: // i < len(all)
		if c, is := l.Cond.(*ast.BinaryExpr); is && l.Post != nil && !leftEarly(l.Body) {
			if n, is := c.Y.(*ast.CallExpr); is && lastName(n.Fun) == "len" && len(n.Args) == 1 {
				return n.Args[0]
			}
		}
	}
	return nil
}

// filledBy is the call of a method in a line of a loop, and the variable that it is of.
func filledBy(a *application, loop ast.Node, line int, method string) (call *ast.CallExpr, name string) {
	ast.Inspect(loop, func(n ast.Node) bool {
		c, is := n.(*ast.CallExpr)
		if !is || !a.within(c, line) {
			return true
		}
		if x, of, ok := qualified(c.Fun); ok && of == method {
			call, name = c, x
		}
		return call == nil
	})
	return call, name
}

// madeBefore is the function of a package that makes what a variable has when a loop begins, of a type; nil where the variable comes from elsewhere. What is
// made with a writer or a request is of one answer.
func madeBefore(p *source, function, loop ast.Node, name, of string) (maker *ast.FuncDecl) {
	ast.Inspect(function, func(n ast.Node) bool {
		made, is := n.(*ast.AssignStmt)
		if !is || len(made.Rhs) != 1 || lastName(made.Lhs[0]) != name {
			return true
		}
		maker = nil
		call, is := made.Rhs[0].(*ast.CallExpr)
		if _, own := made.Lhs[0].(*ast.Ident); !is || !own || made.Pos() > loop.Pos() {
			return false // also where it is made anew within the loop
		}
		for _, d := range slices.Concat([]*ast.FuncDecl{p.funcs[lastName(call.Fun)]}, p.methods[lastName(call.Fun)]) {
			if d != nil && makes(d) == of && constructs.MatchString(d.Name.Name) && !slices.ContainsFunc(params(d), passing.MatchString) {
				maker = d
			}
		}
		return true
	})
	return maker
}

// answers are the words of methods that write, or give as a text, what was put together: it is an answer.
var answers = words("write string bytes render output flush close commit encode marshal save send done end finish build print execute exec")

// usedUp reports whether what a function has made is used by it alone after a loop, and for no answer: it is neither given back, nor kept, nor given to
// another function, nor written.
func usedUp(function, loop ast.Node, name string) bool {
	used, up := false, !keptIn(function, ownOf(function))[name]
	is := func(e ast.Expr) bool {
		if at, address := e.(*ast.UnaryExpr); address {
			e = at.X
		}
		id, ok := e.(*ast.Ident)
		return ok && id.Name == name
	}
	ast.Inspect(function, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			up = up && !slices.ContainsFunc(n.Results, is)
		case *ast.CompositeLit:
			up = up && !slices.ContainsFunc(n.Elts, func(e ast.Expr) bool { kv, pair := e.(*ast.KeyValueExpr); return is(e) || pair && is(kv.Value) })
		case *ast.CallExpr:
			up = up && !slices.ContainsFunc(n.Args, is)
			if x, method, ok := qualified(n.Fun); ok && x == name {
				used = used || n.Pos() > loop.End()
				up = up && !slices.ContainsFunc(unpark.Words(method), func(w string) bool { return slices.Contains(answers, w) })
			}
		}
		return up
	})
	return used && up
}

// pointed reports whether a function gives a pointer.
func pointed(d *ast.FuncDecl) bool {
	_, is := d.Type.Results.List[0].Type.(*ast.StarExpr)
	return is
}
