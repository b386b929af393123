package slowdown

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// locking is a statement that takes or lets go a lock.
type locking struct {
	stmt  ast.Stmt
	lock  string // the lock as it is written, with "R" behind it for readers
	takes bool
	later bool // let go by a defer statement
	// until is the last line of the block around it when that leaves the function or
	// loop: what is done there is not done below. 0 when the block does not.
	until int
}

// section finds the critical section that a line ends, begins or lies in, and says
// where calls go: right behind what takes the lock, else before what lets it go.
func (f file) section(body *ast.BlockStmt, line int, call string) ([]edit, string, error) {
	all := f.lockings(body)
	lock, at, err := f.lockAt(all, line)
	if err != nil {
		return nil, "", err
	}
	var edits []edit
	for _, l := range all {
		if l.takes && l.lock == lock {
			edits = append(edits, edit{f.offset(l.stmt.End()), ";" + call + "()"})
		}
	}
	switch {
	// Two sections of one function may be held for different reasons: the one whose
	// Unlock the profile names is meant.
	case len(edits) == 1, len(edits) > 1 && at.later:
		return edits, "inside the critical section, behind Lock", nil
	case at.stmt == nil || at.later:
		return nil, "", errNoSection
	case at.takes:
		return []edit{{f.offset(at.stmt.End()), ";" + call + "()"}}, "inside the critical section, behind Lock", nil
	default:
		return []edit{{f.offset(at.stmt.Pos()), call + "();"}}, "inside the critical section, before Unlock", nil
	}
}

// lockAt returns the lock that is meant by a line: the one that is taken or let go
// there, else the only one that the function lets go by defer, which runs at whatever
// line the function returns from.
func (f file) lockAt(all []locking, line int) (string, locking, error) {
	for _, l := range all {
		if f.spans(l.stmt, line) && (!l.later || f.line(l.stmt.Pos()) == line) {
			return l.lock, l, nil
		}
	}
	var later []locking
	for _, l := range all {
		if l.later && (len(later) == 0 || later[0].lock != l.lock) {
			later = append(later, l)
		}
	}
	switch len(later) {
	case 0:
		return "", locking{}, errNoSection
	case 1:
		return later[0].lock, later[0], nil
	}
	return "", locking{}, fmt.Errorf("the function lets several locks go by defer (%s, %s), and line %d does not tell which is meant", later[0].lock, later[1].lock, line)
}

// lockings lists what a function does with locks, in the order of the source.
// Statements of function literals are theirs, but for literals that are deferred.
func (f file) lockings(body *ast.BlockStmt) []locking {
	var out []locking
	each := func(list []ast.Stmt) {
		until := f.leaves(list)
		for _, s := range list {
			if labeled, ok := s.(*ast.LabeledStmt); ok {
				s = labeled.Stmt
			}
			switch s := s.(type) {
			case *ast.ExprStmt:
				if lock, takes, ok := lockCall(s.X); ok {
					out = append(out, locking{stmt: s, lock: lock, takes: takes, until: until})
				}
			case *ast.DeferStmt:
				for _, lock := range deferred(s) {
					out = append(out, locking{stmt: s, lock: lock, later: true})
				}
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			each(n.List)
		case *ast.CaseClause:
			each(n.Body)
		case *ast.CommClause:
			each(n.Body)
		}
		return true
	})
	// A block was read before those in it.
	slices.SortFunc(out, func(a, b locking) int { return int(a.stmt.Pos() - b.stmt.Pos()) })
	return out
}

// leaves returns the last line of statements that do not go on behind them, else 0.
func (f file) leaves(list []ast.Stmt) int {
	if len(list) == 0 {
		return 0
	}
	last := list[len(list)-1]
	switch last.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return f.line(last.End())
	}
	return 0
}

// deferred returns the locks that a defer statement lets go.
func deferred(d *ast.DeferStmt) []string {
	if lock, takes, ok := lockCall(d.Call); ok && !takes {
		return []string{lock}
	}
	lit, ok := d.Call.Fun.(*ast.FuncLit)
	if !ok {
		return nil
	}
	var out []string
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if e, ok := n.(*ast.ExprStmt); ok {
			if lock, takes, ok := lockCall(e.X); ok && !takes {
				out = append(out, lock)
			}
		}
		return true
	})
	return out
}

// lockCall reads x.Lock(), x.Unlock(), x.RLock() or x.RUnlock(). The profile has
// said that a lock is there: the method's name is enough.
func lockCall(e ast.Expr) (lock string, takes, ok bool) {
	c, isCall := e.(*ast.CallExpr)
	if !isCall || len(c.Args) > 0 {
		return "", false, false
	}
	sel, isMethod := c.Fun.(*ast.SelectorExpr)
	if !isMethod {
		return "", false, false
	}
	method, reads := strings.CutPrefix(sel.Sel.Name, "R")
	if method != "Lock" && method != "Unlock" {
		return "", false, false
	}
	lock = types.ExprString(sel.X)
	if reads {
		lock += " (read)"
	}
	return lock, method == "Lock", true
}
