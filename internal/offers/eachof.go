package offers

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// eachOf is a loop of the user's own in which requests wait once for each of some things, one after the other: what an expert sees who opens the
// line. A loop over a channel is none, since its turns may be the requests, and what a goroutine of its own does in each turn is not waited for
// in the loop.
func eachOf(r *Reader, f unpark.Finding, whole []unpark.Site) []found {
	if f.Class != unpark.ClassDownstream && f.Class != unpark.ClassIO || f.Class == unpark.ClassDownstream && roles.On(whole, roles.Write) {
		return nil // an end that takes slowly what is written to it is not asked
	}
	for _, s := range append(slices.Clip(whole), f.Site) {
		a, _, loop := r.own.at(s)
		if a == nil {
			continue
		}
		of, ok := a.turns(loop, s.Line)
		if !ok {
			continue
		}
		at := a.fset.Position(loop.Pos())
		return []found{{
			setting: setting{name: of, pkg: &source{path: unpark.PackageOf(s.Function)}}, at: unpark.WithoutTypeArguments(s.Function),
			calls: fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line), score: 1,
		}}
	}
	return nil
}

// turns says what a loop has a turn for each of, empty where that is only counted; not of one that goes on until something comes out, or is asked again
// because it failed.
func (a *application) turns(loop ast.Node, line int) (of string, ok bool) {
	switch l := loop.(type) {
	case *ast.RangeStmt:
		if a.channels()[calledName(l.X)] || a.within(l.X, line) || leftEarly(l.Body) {
			return "", false
		}
		if of = types.ExprString(l.X); len(of) > longestRange {
			of = ""
		}
		return of, true
	case *ast.ForStmt:
		return "", l.Init != nil && l.Cond != nil && l.Post != nil && !leftEarly(l.Body)
	}
	return "", false
}

// leftEarly reports whether the body of a loop ends it otherwise than by an error.
func leftEarly(body ast.Node) bool {
	out := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			cond, is := n.Cond.(*ast.BinaryExpr)
			if !is || cond.Op != token.NEQ || types.ExprString(cond.Y) != "nil" {
				return !out
			}
			out = out || n.Else != nil && leftEarly(n.Else)
			return false
		case *ast.ReturnStmt:
			out = true
		case *ast.BranchStmt:
			out = out || n.Tok == token.BREAK
		}
		return !out
	})
	return out
}

// longestRange is how long an expression may be that is told.
const longestRange = 40

// within reports whether a line is that of an expression alone: what a loop goes through is worked out once.
func (a *application) within(e ast.Expr, line int) bool {
	first, last := a.fset.Position(e.Pos()).Line, a.fset.Position(e.End()).Line
	_, call := e.(*ast.CallExpr)
	return call && first <= line && line <= last
}

// calledName is the name of what an expression is, or of the function that gives it.
func calledName(e ast.Expr) string {
	if call, is := e.(*ast.CallExpr); is {
		return lastName(call.Fun)
	}
	return lastName(e)
}

// channels are the names of fields, parameters and variables that are channels.
func (a *application) channels() map[string]bool {
	if a.chans != nil {
		return a.chans
	}
	a.chans = map[string]bool{}
	names := func(all []*ast.Ident) {
		for _, id := range all {
			a.chans[id.Name] = true
		}
	}
	for _, f := range a.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if _, is := n.Type.(*ast.ChanType); is {
					names(n.Names)
				}
			case *ast.ValueSpec:
				if _, is := n.Type.(*ast.ChanType); is || slices.ContainsFunc(n.Values, makesChannel) {
					names(n.Names)
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) && makesChannel(n.Rhs[i]) {
						a.chans[lastName(left)] = true
					}
				}
			case *ast.FuncDecl:
				if n.Type.Results != nil && slices.ContainsFunc(n.Type.Results.List, func(f *ast.Field) bool { _, is := f.Type.(*ast.ChanType); return is }) {
					a.chans[n.Name.Name] = true
				}
			}
			return true
		})
	}
	return a.chans
}

func makesChannel(e ast.Expr) bool {
	call, is := e.(*ast.CallExpr)
	if !is || lastName(call.Fun) != "make" || len(call.Args) == 0 {
		return false
	}
	_, is = call.Args[0].(*ast.ChanType)
	return is
}
