package offers

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// guarded is the settings that decide whether the way of a finding is gone at all: for each function on its stack, and
// for what the culprit calls, what the conditions around its call read.
func (r *Reader) guarded(f unpark.Finding, stack []unpark.Site) []found {
	var out []found
	look := func(outer *ast.FuncDecl, caller, callee unpark.Site) {
		p := r.of(caller)
		if p == nil {
			return
		}
		d := p.funcs[local(caller.Function)]
		name := local(callee.Function)
		name = name[strings.LastIndexByte(name, '.')+1:]
		if d == nil || d.Body == nil || d.Name.Name == name {
			return
		}
		known, g := p.known(), guardsAt(p, d, name, caller)
		reads := g.names
		for _, read := range slices.Sorted(maps.Keys(reads)) {
			if refuses(d, read) {
				continue
			}
			for _, s := range known[read] {
				score, ok := guards(f.Class, s, reads[read])
				if ok && !slices.ContainsFunc(out, func(o found) bool { return o.name == s.name && o.pkg == s.pkg }) {
					way, what := decided(s, local(callee.Function))
					out = append(out, found{setting: s, at: caller.Function, by: nameOf(d), calls: what, on: reads[read], way: way, score: score})
					break // what else sets the same is another way to it
				}
			}
		}
		if !waits(f.Class) {
			out = append(out, deciding(p, caller.Function, d, g)...)
		}
		out = append(out, unset(p, caller, d, outer, callee, g)...)
	}
	for i := range len(stack) - 1 {
		look(r.above(stack, i+1), stack[i+1], stack[i])
	}
	if f.Culprit != nil && slices.ContainsFunc(stack, func(s unpark.Site) bool { return s.Function == f.Culprit.Function }) {
		for _, part := range f.Into {
			if part.Share >= goodPart {
				at := slices.IndexFunc(stack, func(s unpark.Site) bool { return s.Function == f.Culprit.Function })
				look(r.above(stack, at), *f.Culprit, part.Site)
			}
		}
	}
	return out
}

// above is the function that calls one of a stack, where it is of the same package.
func (r *Reader) above(stack []unpark.Site, i int) *ast.FuncDecl {
	if i+1 >= len(stack) {
		return nil
	}
	p := r.of(stack[i+1])
	if p == nil || p != r.of(stack[i]) {
		return nil
	}
	return p.funcs[local(stack[i+1].Function)]
}

// goodPart is the part of a culprit's cost from which what it calls is worth a setting of its own.
const goodPart = 1.0 / 3

// guards says how well a setting on which a call depends goes with a class of findings; false where it does not.
// What computes is done because it is asked for: a switch that is on for it, or that turns it off. A switch that must be
// off for it is for something else. Of a wait its words must go with the class as well.
func guards(class unpark.Class, s setting, on bool) (score int, ok bool) {
	score, _ = suits(class, s)
	if s.elsewhere() {
		return 0, false
	}
	if s.turns { // it is there for that alone
		return guard, s.on != on
	}
	of := s.words()
	if waits(class) {
		return guard + score, score > 0
	}
	off := slices.ContainsFunc(of, func(w string) bool { return slices.Contains(switches, w) || slices.Contains(without, w) })
	return guard + score, s.kind == "bool" && (on || off) || s.mode()
}

// guards is the names that conditions read on which a function calls another, those around the call and those
// on which it returns before that; true of those that must hold for it.
func (p *source) guards(d *ast.FuncDecl, callee string) conditions {
	return conditionsOf(p, d, conditions{callee: callee})
}

// conditionsOf is the same of where a function is put into a field, if one is named.
func conditionsOf(p *source, d *ast.FuncDecl, g conditions) conditions {
	g.p, g.locals, g.sites = p, map[string]ast.Expr{}, new(int)
	g.names, g.empty, g.either = map[string]bool{}, map[string]bool{}, map[string]bool{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == len(a.Rhs) {
			for i, to := range a.Lhs {
				if id, ok := to.(*ast.Ident); ok {
					g.locals[id.Name] = a.Rhs[i]
				}
			}
		}
		return true
	})
	g.block(d.Body.List, nil)
	return g
}

// conditions collects what the calls of a function depend on.
type conditions struct {
	p      *source
	callee string
	field  string              // into which the callee is put; empty of calls
	line   int                 // on which it is called; 0: wherever it is
	locals map[string]ast.Expr // what variables of the function were made of
	names  map[string]bool
	empty  map[string]bool // what must be empty for them: nil, "" or 0
	either map[string]bool // of which one is enough for them
	held   map[string]bool // the conditions that hold wherever it is called, as they are written
	sites  *int            // how many calls were met: of several, only what all depend on decides
}

// condition is an expression that must hold, or must not.
type condition struct {
	ast.Expr
	holds bool
}

// block goes through statements under some conditions.
func (g conditions) block(list []ast.Stmt, under []condition) {
	for _, s := range list {
		g.statement(s, under)
		if s, ok := s.(*ast.IfStmt); ok && leaves(s.Body) && !g.calls(s.Body) {
			under = append(slices.Clip(under), condition{s.Cond, false})
		}
	}
}

func (g conditions) statement(s ast.Stmt, under []condition) {
	switch s := s.(type) {
	case *ast.IfStmt:
		g.expression(s.Init, under)
		g.expression(s.Cond, under)
		g.block(s.Body.List, append(slices.Clip(under), condition{s.Cond, true}))
		if s.Else != nil {
			g.statement(s.Else, append(slices.Clip(under), condition{s.Cond, false}))
		}
	case *ast.BlockStmt:
		g.block(s.List, under)
	case *ast.ForStmt:
		g.block(s.Body.List, under)
	case *ast.RangeStmt:
		g.expression(s.X, under)
		g.block(s.Body.List, under)
	case *ast.SwitchStmt:
		for _, c := range s.Body.List {
			c, inside := c.(*ast.CaseClause), slices.Clip(under)
			for _, e := range append(slices.Clip(c.List), s.Tag) {
				if e != nil {
					inside = append(inside, condition{e, true})
				}
			}
			g.block(c.Body, inside)
		}
	default:
		g.expression(s, under)
	}
}

// expression keeps the conditions where the call is made, also within a function that is written there.
func (g conditions) expression(n ast.Node, under []condition) {
	if !g.calls(n) {
		return
	}
	here := g
	here.names, here.empty, here.held = map[string]bool{}, map[string]bool{}, heldOf(under)
	for _, cond := range under {
		here.read(cond.Expr, cond.holds, 0)
	}
	g.join(g.names, here.names)
	g.join(g.empty, here.empty)
	*g.sites++
}

// join keeps of what calls before depended on what this one does as well.
func (g conditions) join(all, here map[string]bool) {
	if *g.sites == 0 || g.field != "" {
		maps.Copy(all, here)
		return
	}
	maps.DeleteFunc(all, func(name string, holds bool) bool { other, ok := here[name]; return !ok || other != holds })
}

// calls reports whether a call of the callee is somewhere below.
func (g conditions) calls(n ast.Node) bool {
	called := false
	if n == nil || n == ast.Stmt(nil) {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called = called || g.field == "" && lastName(n.Fun) == g.callee && g.there(n)
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				called = called || g.field != "" && len(n.Lhs) == len(n.Rhs) && lastName(to) == g.field && lastName(n.Rhs[i]) == g.callee
			}
		}
		return !called
	})
	return called
}

// read keeps the names in a condition, with those that its variables were made of, and those that functions of the
// package read which it asks.
func (g conditions) read(e ast.Expr, holds bool, deep int) {
	keep := func(name string) { g.names[name] = g.names[name] || holds }
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				g.read(n.X, !holds, deep)
				return false
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND && !holds || n.Op == token.LOR && holds { // one of two is enough: neither decides
				for x, y := range map[ast.Expr]ast.Expr{n.X: n.Y, n.Y: n.X} {
					if n.Op == token.LAND && g.given(x) || whether(x) {
						g.read(y, holds, deep)
						continue
					}
					one := g
					one.names, one.empty, one.either = map[string]bool{}, map[string]bool{}, map[string]bool{}
					one.read(y, holds, deep)
					maps.Copy(g.either, one.names)
				}
				return false
			}
			if name := lastName(n.X); name != "" && isEmpty(n.Y) && (n.Op == token.EQL && holds || n.Op == token.NEQ && !holds) {
				g.empty[name] = true
			}
		case *ast.SelectorExpr:
			keep(n.Sel.Name)
		case *ast.Ident:
			keep(n.Name)
			if of := g.locals[n.Name]; of != nil && deep < deepest {
				g.read(of, holds, deep+1)
			}
		case *ast.CallExpr:
			for _, d := range g.p.called(n) {
				if d.Body != nil && len(d.Body.List) <= askedFor {
					names, _ := g.p.reads(d)
					for name := range names {
						keep(name)
					}
				}
			}
		}
		return true
	})
}

// whether reports whether a condition asks only if there is something to read a setting from.
func whether(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return false
	}
	id, ok := ast.Unparen(b.Y).(*ast.Ident)
	return ok && id.Name == "nil"
}

// askedFor is the most statements of a function that says whether something is wanted.
const askedFor = 3

// leaves reports whether what comes after a block is not reached from it.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE || s.Tok == token.BREAK
	}
	return false
}
