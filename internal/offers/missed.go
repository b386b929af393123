package offers

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

var (
	// keeper are the names of what has things by a key.
	keeper = regexp.MustCompile(`(?i)cache|memo|lru`)
	// evicts are the names of functions that take out what was kept.
	evicts = regexp.MustCompile(`(?i)(evict|invalidat|dealloc|expire|victim)\w*cache|cache\w*(evict|invalidat|dealloc|expire|victim)`)
	// keyed are the names of parameters by which things are kept.
	keyed = words("sql query stmt statement pattern expr expression template format schema source script name key text")
)

// missed is the parameter by which a package keeps what it makes, where what costs is on the way only because it was another one each
// time: a call that is made where a lookup in a cache found nothing, or one that takes out what is kept to make room.
func missed(r *Reader, stack []unpark.Site) []found {
	for i, s := range stack {
		p := r.of(s)
		if p == nil {
			continue
		}
		d := p.funcs[local(s.Function)]
		if d == nil || d.Body == nil {
			continue
		}
		callee := ""
		if i > 0 {
			name := local(stack[i-1].Function)
			callee = name[strings.LastIndexByte(name, '.')+1:]
		}
		switch {
		case evicts.MatchString(d.Name.Name):
		case callee != "" && missedIn(d, callee):
		default:
			continue
		}
		for _, above := range stack[i:] { // as users call it
			at := r.of(above)
			if at == nil {
				break
			}
			of := at.funcs[local(above.Function)]
			if of == nil || !of.Name.IsExported() || !exportedType(receiver(of)) && of.Recv != nil || at.internal() {
				continue
			}
			if key := keyOf(of); key != "" {
				return []found{{setting: setting{name: nameOf(of), kind: key, doc: firstOf(of.Doc), pkg: at}, at: above.Function, by: nameOf(d), score: 1}}
			}
		}
	}
	return nil
}

// keyOf is the parameter of a function by which what it makes is kept; empty where none has such a name.
func keyOf(d *ast.FuncDecl) string {
	for _, f := range d.Type.Params.List {
		for _, id := range f.Names {
			if typeOf(f.Type) == "string" && slices.Contains(keyed, strings.ToLower(id.Name)) {
				return id.Name
			}
		}
	}
	return ""
}

// missedIn reports whether a function makes a call only where it has looked in a cache and found nothing.
func missedIn(d *ast.FuncDecl, callee string) bool {
	var got []string // what the lookups gave
	found := false
	look := func(n ast.Node) {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 {
			return
		}
		switch from := a.Rhs[0].(type) {
		case *ast.CallExpr:
			sel, ok := from.Fun.(*ast.SelectorExpr)
			if !ok || !keeper.MatchString(lastName(sel.X)) {
				return
			}
		case *ast.IndexExpr:
			if !keeper.MatchString(lastName(from.X)) {
				return
			}
		default:
			return
		}
		for _, to := range a.Lhs {
			got = append(got, lastName(to))
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		look(n)
		is, ok := n.(*ast.IfStmt)
		if !ok {
			return true
		}
		look(is.Init)
		nothing := false
		switch c := ast.Unparen(is.Cond).(type) {
		case *ast.BinaryExpr:
			nothing = c.Op.String() == "==" && lastName(c.Y) == "nil" && slices.Contains(got, lastName(c.X))
		case *ast.UnaryExpr:
			nothing = c.Op.String() == "!" && slices.Contains(got, lastName(c.X))
		}
		found = found || nothing && callsBelow(is.Body, callee)
		return true
	})
	return found
}

// callsBelow reports whether a function of a name is called somewhere below.
func callsBelow(n ast.Node, callee string) bool {
	called := false
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			called = called || lastName(call.Fun) == callee
		}
		return !called
	})
	return called
}
