package offers

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/unpark-go/unpark"
)

// anew is what the user's own functions on a stack make for each request, of a type that the stack then goes through and that is there to
// be kept: it has a lock, or makes a transport of its own. What it would keep, connections, tokens, what another side asked it for, is lost
// with it, and no profile shows it, since making it costs nothing.
func anew(r *Reader, f unpark.Finding, whole []unpark.Site) []found {
	if f.Class != unpark.ClassDownstream && f.Class != unpark.ClassPool {
		return nil // a document, a token or a message is made for each request, and may have a lock as well
	}
	for _, s := range append(slices.Clip(whole), f.Site) { // what opens connections may do that far from the line that wants one
		a, body, loop := r.own.at(s)
		if a == nil {
			continue
		}
		if loop != nil { // what stands before it is made once for all of its turns, which may be the requests
			body = loop
		}
		for _, m := range a.makes(body, 0) {
			if f, ok := lost(r, m, whole); ok {
				at := a.fset.Position(m.at)
				f.at, f.by, f.calls = unpark.WithoutTypeArguments(s.Function), m.in, fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
				return []found{f}
			}
		}
	}
	return nil
}

// making is a place where something of another package is made: by a literal of its type, or a function.
type making struct {
	pkg, name, in string // import path; the type or the function; the user's function that does it, empty where it is the body itself
	literal       bool
	at            token.Pos
}

// fartherOwn is how many calls of the user's own functions are followed.
const fartherOwn = 2

// makes is what is made wherever a part of a function runs, there and in the functions of the package that it calls.
func (a *application) makes(n ast.Node, depth int) []making {
	var out []making
	own := ownOf(n)
	kept := keptIn(n, own)
	var look func(ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if onlyOnce(n.Cond, func(name string) bool { return own[name] && !kept[name] }) { // the first that finds none makes one
				return false
			}
		case *ast.AssignStmt:
			return !keepsAway(n, kept, own)
		case *ast.CompositeLit:
			if x, of, ok := qualified(n.Type); ok {
				if p := a.imported(n.Pos(), x); p != "" {
					out = append(out, making{pkg: p, name: of, literal: true, at: n.Pos()})
				}
			}
		case *ast.CallExpr:
			if runsOnce.MatchString(lastName(n.Fun)) && slices.ContainsFunc(n.Args, isLiteral) {
				ast.Inspect(n.Fun, look)
				return false
			}
			if x, of, ok := qualified(n.Fun); ok && general.MatchString(of) {
				if p := a.imported(n.Pos(), x); p != "" {
					out = append(out, making{pkg: p, name: of, at: n.Pos()})
					return true
				}
			}
			if callee := a.ofOwn(n.Fun); callee != nil && depth < fartherOwn {
				for _, m := range a.makes(callee, depth+1) {
					if m.in == "" {
						m.in = nameOf(callee)
					}
					out = append(out, m)
				}
			}
		}
		return true
	}
	ast.Inspect(n, look)
	return out
}

// ofOwn is the function of the package that is called; nil where it may be another's. A method is known by a name that no other
// package can call.
func (a *application) ofOwn(called ast.Expr) *ast.FuncDecl {
	name := lastName(called)
	_, method := called.(*ast.SelectorExpr)
	own := a.funcs[name]
	if len(own) != 1 || method && ast.IsExported(name) || method == (own[0].Recv == nil) {
		return nil
	}
	return own[0]
}

func isLiteral(e ast.Expr) bool { _, is := e.(*ast.FuncLit); return is }

// runsOnce are the names of calls that run what they are given once, or only for what is not there.
var runsOnce = regexp.MustCompile(`^(Do|DoChan|Once\w*|\w*OrStore|\w*OrCreate|\w*OrCompute|\w*OrSet|Fetch\w*|Load\w*)$`)

// qualified is a name of another package.
func qualified(e ast.Expr) (x, name string, ok bool) {
	if i, is := e.(*ast.IndexExpr); is {
		e = i.X
	}
	s, is := e.(*ast.SelectorExpr)
	if !is {
		return "", "", false
	}
	id, is := s.X.(*ast.Ident)
	if !is {
		return "", "", false
	}
	return id.Name, s.Sel.Name, true
}

// onlyOnce reports whether a condition asks whether something is not there yet. What lasts no longer than the function is never there.
func onlyOnce(cond ast.Expr, passing func(name string) bool) bool {
	out := false
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			y, is := n.Y.(*ast.Ident)
			x, local := n.X.(*ast.Ident)
			out = out || n.Op == token.EQL && is && y.Name == "nil" && !(local && passing(x.Name))
		case *ast.UnaryExpr:
			_, is := n.X.(*ast.Ident)
			out = out || n.Op == token.NOT && is
		}
		return !out
	})
	return out
}

// putsAway are the names of methods by which something is kept.
var putsAway = words("Store Set Put Add Swap CompareAndSwap LoadOrStore append")

// keptIn are the variables of a function that it puts into a field, a map or a variable that is not its own.
func keptIn(n ast.Node, own map[string]bool) map[string]bool {
	out := map[string]bool{}
	take := func(e ast.Expr) {
		if id, is := e.(*ast.Ident); is {
			out[id.Name] = true
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, is := left.(*ast.Ident); (!is || id.Name != "_" && !own[id.Name]) && len(n.Lhs) == len(n.Rhs) {
					take(n.Rhs[i])
				}
			}
		case *ast.CallExpr:
			if slices.Contains(putsAway, lastName(n.Fun)) {
				for _, arg := range n.Args {
					take(arg)
				}
			}
		}
		return true
	})
	return out
}

// keepsAway reports whether an assignment puts what it makes where it stays: into a field or a map, or into a variable that goes there.
func keepsAway(n *ast.AssignStmt, kept, own map[string]bool) bool {
	return slices.ContainsFunc(n.Lhs, func(left ast.Expr) bool {
		id, is := left.(*ast.Ident)
		return !is || n.Tok == token.ASSIGN && id.Name != "_" && !own[id.Name] || kept[id.Name]
	})
}

// ownOf are the variables that a part of a function declares, with its named results.
func ownOf(n ast.Node) map[string]bool {
	out := map[string]bool{}
	take := func(all []*ast.Ident) {
		for _, id := range all {
			out[id.Name] = true
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			if n.Results != nil {
				for _, f := range n.Results.List {
					take(f.Names)
				}
			}
		case *ast.ValueSpec:
			take(n.Names)
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if id, is := left.(*ast.Ident); is && n.Tok == token.DEFINE {
					take([]*ast.Ident{id})
				}
			}
		}
		return true
	})
	return out
}
