package offers

import (
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// workers is the settings of how many goroutines a module starts of the one that a finding's stack is of: the bound of the loop, or of the condition, in
// which it starts them, as far as that is what users set. More of them may be started by a function that it calls, of what is at the same channel.
func workers(r *Reader, f unpark.Finding) []found {
	if f.Class != unpark.ClassPool || len(f.Path) == 0 {
		return nil
	}
	root := f.Path[len(f.Path)-1]
	p := r.of(root)
	if p == nil {
		return nil
	}
	return settingsOf(r, p, f, startsOf(p, root), found{at: unpark.WithoutTypeArguments(root.Function), score: 1})
}

// queued is the same of the goroutines at the other end of a channel at which the innermost function of a stack waits.
func queued(r *Reader, f unpark.Finding, stack []unpark.Site) []found {
	at := slices.IndexFunc(stack, func(s unpark.Site) bool { return !roles.Is(s.Function, roles.Runtime) })
	if at < 0 || f.Class != unpark.ClassChannel && f.Class != unpark.ClassPool {
		return nil
	}
	p := r.of(stack[at])
	if p == nil || p.funcs[local(stack[at].Function)] == nil {
		return nil
	}
	waits := p.funcs[local(stack[at].Function)]
	on := slices.Sorted(maps.Keys(touched(waits)))
	others := slices.DeleteFunc(starts(p), func(s start) bool { return !serves(p, s.of.Call, waits, on) })
	return settingsOf(r, p, f, others, found{at: unpark.WithoutTypeArguments(stack[at].Function), by: nameOf(waits), score: 1})
}

// settingsOf is the settings that the bounds of go statements come from, in the packages on a stack.
func settingsOf(r *Reader, p *source, f unpark.Finding, all []start, of found) []found {
	t := &traced{seen: map[ast.Node]bool{}}
	for _, s := range f.Path {
		if q := r.of(s); q != nil {
			t.all = append(t.all, q, q.root)
		}
	}
	t.all = append(t.all, p.users...)
	for _, s := range all {
		for _, m := range s.bounds(p) {
			t.follow(p, m.in, m.size)
		}
	}
	var out []found
	for _, of.setting = range t.found() {
		out = append(out, of)
	}
	return out
}

// withoutWorkers leaves out what is told as a number of goroutines.
func withoutWorkers(all, workers []found) []found {
	return slices.DeleteFunc(all, func(s found) bool {
		return slices.ContainsFunc(workers, func(o found) bool { return o.name == s.name && o.pkg == s.pkg })
	})
}

// start is a go statement, and the function that it is in.
type start struct {
	in *ast.FuncDecl
	of *ast.GoStmt
}

// startsOf is where a package starts the function at the end of a stack: a literal of the statement, or the function that it calls.
func startsOf(p *source, root unpark.Site) []start {
	var out []start
	itself := p.funcs[local(root.Function)]
	if roles.Outer(root.Function) != root.Function {
		itself = nil
	}
	for _, s := range starts(p) {
		from, to := p.fset.Position(s.of.Pos()), p.fset.Position(s.of.End())
		within := filepath.Base(from.Filename) == filepath.Base(root.File) && from.Line <= root.Line && root.Line <= to.Line
		if itself == nil && within || itself != nil && slices.Contains(p.called(s.of.Call), itself) {
			out = append(out, s)
		}
	}
	return out
}

// starts is the go statements of a package.
func starts(p *source) []start {
	var out []start
	for _, d := range p.funcs {
		if d.Body == nil {
			continue
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			if g, is := n.(*ast.GoStmt); is {
				out = append(out, start{d, g})
			}
			return true
		})
	}
	slices.SortFunc(out, func(a, b start) int { return int(a.of.Pos() - b.of.Pos()) })
	return out
}

// bounds is how often a go statement runs at most, and those which start more of the same: in functions that what it starts calls.
func (s start) bounds(p *source) []made {
	out, serves := s.around(), touched(s.of)
	var more []*ast.FuncDecl
	ast.Inspect(s.of.Call, func(n ast.Node) bool {
		if c, is := n.(*ast.CallExpr); is {
			more = append(more, p.called(c)...)
		}
		return true
	})
	for _, other := range starts(p) {
		if !slices.Contains(more, other.in) || other.in == s.in {
			continue
		}
		for channel := range touched(other.of) {
			if serves[channel] {
				out = append(out, other.around()...)
			}
		}
	}
	return out
}

// around is the bounds of the loops and conditions around a go statement.
func (s start) around() []made {
	var out []made
	ast.Inspect(s.in.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > s.of.Pos() || n.End() < s.of.End() {
			return false
		}
		if _, bound := loopOf(n); bound != nil {
			out = append(out, made{s.in, bound})
		}
		if i, is := n.(*ast.IfStmt); is && i.Body.Pos() < s.of.Pos() && s.of.End() < i.Body.End() {
			for _, bound := range lessThan(i.Cond) {
				out = append(out, made{s.in, bound})
			}
		}
		return true
	})
	return out
}

// lessThan is what a condition says that something is less than. What is compared with a literal is asked whether it is there at all.
func lessThan(cond ast.Expr) []ast.Expr {
	b, is := ast.Unparen(cond).(*ast.BinaryExpr)
	if !is {
		return nil
	}
	less, more := b.X, b.Y
	switch b.Op {
	case token.LAND:
		return slices.Concat(lessThan(b.X), lessThan(b.Y))
	case token.GTR, token.GEQ:
		less, more = b.Y, b.X
	case token.LSS, token.LEQ:
	default:
		return nil
	}
	if isLiteralNumber(less) {
		return nil
	}
	return []ast.Expr{more}
}

func isLiteralNumber(e ast.Expr) bool { _, is := e.(*ast.BasicLit); return is }
