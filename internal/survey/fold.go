package survey

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// scope is where an expression stands.
type scope struct {
	w  *world
	u  *unit
	f  *ast.File
	in *ast.FuncDecl // nil outside of functions
}

// deepest is how many names are followed one after the other; more is a cycle.
const deepest = 8

// text folds an expression to a string, or to the digits of a number. A flag counts
// as its default.
func (s scope) text(e ast.Expr) (string, bool) { return s.fold(e, 0) }

func (s scope) fold(e ast.Expr, depth int) (string, bool) {
	if depth > deepest {
		return "", false
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			v, err := strconv.Unquote(e.Value)
			return v, err == nil
		}
		return strings.ReplaceAll(e.Value, "_", ""), e.Kind == token.INT
	case *ast.ParenExpr:
		return s.fold(e.X, depth)
	case *ast.StarExpr:
		return s.fold(e.X, depth)
	case *ast.BinaryExpr:
		a, okA := s.fold(e.X, depth+1)
		b, okB := s.fold(e.Y, depth+1)
		if !okA || !okB || e.Op != token.ADD {
			return "", false
		}
		return a + b, true
	case *ast.Ident:
		return s.name(e.Name, depth)
	case *ast.SelectorExpr:
		return s.selected(e, depth)
	case *ast.CallExpr:
		return s.result(e, depth)
	}
	return "", false
}

// name folds a local variable that is set once, a flag, or a value of the package.
func (s scope) name(name string, depth int) (string, bool) {
	if e := s.local(name); e != nil {
		if v, ok := s.fold(e, depth+1); ok {
			return v, true
		}
	}
	if f := s.u.bound[name]; f != nil {
		return f.Default, f.known
	}
	if v, ok := s.u.values[name]; ok {
		return scope{s.w, s.u, v.file, nil}.fold(v.expr, depth+1)
	}
	return "", false
}

// local returns what a local variable begins with; nil when it is not set in this
// function, or more than once.
func (s scope) local(name string) ast.Expr {
	if s.in == nil || s.in.Body == nil {
		return nil
	}
	all, ok := s.w.locals[s.in]
	if !ok {
		all = localsOf(s.in.Body)
		s.w.locals[s.in] = all
	}
	return all[name]
}

// localsOf returns the variables of a function that are set once, and to what.
func localsOf(body *ast.BlockStmt) map[string]ast.Expr {
	found, times := map[string]ast.Expr{}, map[string]int{}
	set := func(name string, to ast.Expr) {
		if times[name]++; times[name] > 1 {
			to = nil
		}
		found[name] = to
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					var to ast.Expr
					if len(n.Lhs) == len(n.Rhs) {
						to = n.Rhs[i]
					}
					set(id.Name, to)
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if i < len(n.Values) {
					set(id.Name, n.Values[i])
				}
			}
		}
		return true
	})
	return found
}

// selected folds a value of another package, or a field that a flag sets.
func (s scope) selected(e *ast.SelectorExpr, depth int) (string, bool) {
	if x, ok := e.X.(*ast.Ident); ok {
		if name := imported(s.f, x.Name); name != "" {
			if full, ok := httpMethod(e.Sel.Name); ok && name == "net/http" {
				return full, true
			}
			if _, ours := s.w.packages[name]; !ours {
				return "", false
			}
			u := s.w.parse(name)
			if v, ok := u.values[e.Sel.Name]; ok {
				return scope{s.w, u, v.file, nil}.fold(v.expr, depth+1)
			}
			return "", false
		}
	}
	if f := s.u.bound[e.Sel.Name]; f != nil {
		return f.Default, f.known
	}
	return "", false
}

// httpMethod returns what a constant of net/http such as MethodGet stands for.
func httpMethod(name string) (string, bool) {
	upper, ok := strings.CutPrefix(name, "Method")
	upper = strings.ToUpper(upper)
	return upper, ok && isMethod(upper)
}

// isMethod reports the methods that routes are registered for.
func isMethod(s string) bool {
	switch s {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT":
		return true
	}
	return false
}

// result folds the calls that addresses and patterns are made with.
func (s scope) result(c *ast.CallExpr, depth int) (string, bool) {
	var args []string
	for _, a := range c.Args {
		v, ok := s.fold(a, depth+1)
		if !ok {
			v = "\x00"
		}
		args = append(args, v)
	}
	known := func(n int) bool {
		return len(args) >= n && !strings.Contains(strings.Join(args[:n], ""), "\x00")
	}
	name, _ := called(c)
	switch {
	case len(args) == 1 && known(1) && (name == "Itoa" || name == "string" || name == "FormatInt" || name == "TrimSpace"):
		return args[0], true
	case name == "JoinHostPort" && len(args) == 2 && known(2):
		return args[0] + ":" + args[1], true
	case name == "Sprintf" && known(len(args)) && len(args) > 0:
		return sprintf(args)
	case name == "Or" && len(args) == 2 && known(2) && args[0] == "", name == "Or" && len(args) == 2 && args[0] == "\x00" && args[1] != "\x00":
		return args[1], true // cmp.Or(os.Getenv("PORT"), "8080")
	case envHelper.MatchString(name) && len(args) == 2 && known(2):
		return args[1], true
	}
	return "", false
}

// sprintf puts plain arguments into plain verbs.
func sprintf(args []string) (string, bool) {
	format, rest := args[0], args[1:]
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		if i++; i >= len(format) || !strings.ContainsRune("sdv", rune(format[i])) || len(rest) == 0 {
			return "", false
		}
		b.WriteString(rest[0])
		rest = rest[1:]
	}
	return b.String(), len(rest) == 0
}
