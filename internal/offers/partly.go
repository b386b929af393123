package offers

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// Words of calls that go through things one by one, from either end, and of those that begin at some of them.
var (
	stepwise = words("front back first last min max iter iterator iterate all walk range each scan ascend descend cursor seek limit page pages")
	directed = words("seek cursor range prefix ascend descend find search query between lookup iterator iter scan")
)

// partly is calls of the user's own that go through all that there is, where what goes on uses a part of that: a loop over what a call gave which is
// left before its end, and a function that is called for each of all things and passes over those that it does not want. Both stand in the user's
// source; what the module has beside the call for less of it has fitting names.
func partly(r *Reader, f unpark.Finding, whole []unpark.Site) []found {
	if waits(f.Class) && f.Class != unpark.ClassLock {
		return nil
	}
	for i := 1; i < len(whole); i++ {
		p := r.of(whole[i-1])
		a, function, _ := r.own.at(whole[i])
		if p == nil || a == nil {
			continue
		}
		d := p.funcs[local(whole[i-1].Function)]
		if d == nil || !d.Name.IsExported() {
			continue
		}
		at, way := a.partOf(a.declaring(function), whole[i].Line, d.Name.Name)
		if at == nil {
			continue
		}
		pos := a.fset.Position(at.Pos())
		one := found{
			setting: setting{kind: way, pkg: p}, at: unpark.WithoutTypeArguments(whole[i].Function), by: nameOf(d),
			calls: fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line), score: 1,
		}
		if one.name = beside(p, d, way); one.name == "" && way == unpark.TypeFiltered {
			return nil // how else it could be asked for is not known
		}
		return []found{one}
	}
	return nil
}

// declaring is the declared function that has one inside: a function that a call is given begins in the line of the call.
func (a *application) declaring(inside ast.Node) ast.Node {
	for _, all := range a.funcs {
		for _, d := range all {
			if d.Pos() <= inside.Pos() && inside.End() <= d.End() {
				return d
			}
		}
	}
	return inside
}

// partOf finds what uses a part of a call in a line of a function: a loop over its result that is left early, or a function that it is given, which
// begins by passing over things.
func (a *application) partOf(function ast.Node, line int, called string) (at ast.Node, way string) {
	in := func(e ast.Expr) *ast.CallExpr {
		c, is := ast.Unparen(e).(*ast.CallExpr)
		if is && calledName(c.Fun) == called && a.within(c, line) {
			return c
		}
		return nil
	}
	kept := "" // the variable that has its result
	ast.Inspect(function, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Rhs) == 1 && in(n.Rhs[0]) != nil {
				if id, is := n.Lhs[0].(*ast.Ident); is {
					kept = id.Name
				}
			}
		case *ast.RangeStmt:
			id, is := n.X.(*ast.Ident)
			if (in(n.X) != nil || is && kept != "" && id.Name == kept) && enough(n.Body) {
				at, way = n, unpark.TypeLeft
			}
		case *ast.CallExpr:
			if in(n) == nil || len(n.Args) == 0 {
				return true
			}
			if each, is := n.Args[len(n.Args)-1].(*ast.FuncLit); is && passesOver(each.Body) {
				at, way = each, unpark.TypeFiltered
			}
		}
		return at == nil
	})
	return at, way
}

// enough reports whether a loop ends when it has what it wants: by a break, or a return that gives no error.
func enough(body *ast.BlockStmt) bool {
	out := false
	for _, s := range body.List {
		if i, is := s.(*ast.IfStmt); is && i.Else == nil && len(i.Body.List) > 0 {
			switch last := i.Body.List[len(i.Body.List)-1].(type) {
			case *ast.BranchStmt:
				out = out || last.Tok.String() == "break"
			case *ast.ReturnStmt:
				out = out || !failing(i.Cond)
			}
		}
	}
	return out
}

// failing reports whether a condition asks whether there is an error.
func failing(cond ast.Expr) bool {
	b, is := cond.(*ast.BinaryExpr)
	if !is {
		return false
	}
	id, is := ast.Unparen(b.X).(*ast.Ident)
	return is && strings.HasPrefix(strings.ToLower(id.Name), "err")
}

// passesOver reports whether a function that is called for each of many things has something to do for some of them alone: it begins with a condition,
// and either what depends on that or what follows it does nothing but return.
func passesOver(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	i, is := body.List[0].(*ast.IfStmt)
	if !is || i.Else != nil || failing(i.Cond) || ofNil(i.Cond) {
		return false
	}
	return acts(i.Body.List) != acts(body.List[1:])
}

// acts reports whether statements do more than return what is there.
func acts(all []ast.Stmt) bool {
	return slices.ContainsFunc(all, func(s ast.Stmt) bool {
		r, is := s.(*ast.ReturnStmt)
		return !is || slices.ContainsFunc(r.Results, func(e ast.Expr) bool { _, call := e.(*ast.CallExpr); return call })
	})
}

// ofNil reports whether a condition asks whether something is there: what is not is none of the things.
func ofNil(cond ast.Expr) bool {
	b, is := cond.(*ast.BinaryExpr)
	return is && types.ExprString(b.Y) == "nil"
}

// beside is the call of the same type, or of the same package where it has none, that has the most fitting name.
func beside(p *source, d *ast.FuncDecl, way string) string {
	fitting := stepwise
	if way == unpark.TypeFiltered {
		fitting = directed
	}
	best, at := "", len(fitting)
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other == d || !other.Name.IsExported() || receiver(other) != receiver(d) || deprecated(other.Doc) || other.Type.Results == nil && other.Type.Params.NumFields() == 0 {
			continue
		}
		for _, w := range unpark.Words(other.Name.Name) {
			if i := slices.Index(fitting, w); i >= 0 && i < at && !slices.Contains(unpark.Words(d.Name.Name), w) {
				best, at = name, i
			}
		}
	}
	return best
}
