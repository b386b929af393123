package survey

import (
	"go/ast"
	"maps"
	"regexp"
	"strings"
)

// Route is one pattern that a program answers at.
type Route struct {
	Method  string   // empty: any
	Pattern string   // as it is registered
	Path    string   // one that fits it, to be requested
	Against []string // what speaks against requesting it as it is; empty: nothing was seen
	Place   string

	score    float64
	observes bool // net/http/pprof and the like
}

// registers is how functions are called that take a pattern and what answers at it,
// beside the verbs.
var registers = regexp.MustCompile(`(?i)route|handle|endpoint|register`)

// walker finds the routes of one package.
type walker struct {
	scope
	routes  []Route
	unread  []string                   // places of patterns that are no constants
	methods map[*ast.CallExpr]string   // set by a call on its result: r.HandleFunc(…).Methods("GET")
	mounts  map[string]string          // functions whose router is mounted, and where
	all     map[string][]*ast.FuncDecl // functions of the program, by name
}

// prefixes are the paths that routers stand for, by the name of their variable.
type prefixes map[string]string

// routes finds the routes of a package.
func (w *world) routes(u *unit, all map[string][]*ast.FuncDecl) (routes []Route, unread []string) {
	k := &walker{scope: scope{w: w, u: u}, methods: map[*ast.CallExpr]string{}, mounts: map[string]string{}, all: all}
	u.each(func(f *ast.File, in *ast.FuncDecl, n ast.Node) {
		if c, ok := n.(*ast.CallExpr); ok {
			k.f, k.in = f, in
			k.prepare(c)
		}
	})
	for _, f := range u.files {
		for _, d := range f.Decls {
			k.f, k.in = f, nil
			known := prefixes{}
			if fn, ok := d.(*ast.FuncDecl); ok {
				k.in = fn
				known[""] = k.mounts[fn.Name.Name]
			}
			k.walk(d, known)
		}
	}
	return k.routes, k.unread
}

// prepare notes what has to be known before the routes are read.
func (k *walker) prepare(c *ast.CallExpr) {
	name, on := called(c)
	if inner, ok := on.(*ast.CallExpr); ok && name == "Methods" && len(c.Args) > 0 {
		k.methods[inner], _ = k.text(c.Args[0])
	}
	if (name == "Mount" || name == "StripPrefix") && len(c.Args) == 2 {
		prefix, ok := k.text(c.Args[0])
		if made, isCall := c.Args[1].(*ast.CallExpr); ok && isCall && name == "Mount" {
			if fn, _ := called(made); fn != "" {
				k.mounts[fn] = strings.TrimSuffix(prefix, "/")
			}
		}
	}
}

// walk reads the calls below n; known are the prefixes of the routers in sight.
func (k *walker) walk(n ast.Node, known prefixes) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if prefix, ok := k.group(r, known); ok && i < len(n.Lhs) {
					known[lastName(n.Lhs[i])] = prefix
				}
			}
		case *ast.CompositeLit:
			k.literal(n)
		case *ast.CallExpr:
			if body, inside := k.nested(n, known); body != nil {
				k.walk(body, inside)
				return false
			}
			k.call(n, known)
		}
		return true
	})
}

// group returns the prefix of a router that an expression makes of another:
// r.Group("/v1"), r.PathPrefix("/v1").Subrouter().
func (k *walker) group(e ast.Expr, known prefixes) (string, bool) {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	name, on := called(c)
	switch {
	case name == "Subrouter":
		return k.group(on, known)
	case (name == "Group" || name == "PathPrefix" || name == "Route") && len(c.Args) > 0:
		if prefix, ok := k.text(c.Args[0]); ok && strings.HasPrefix(prefix, "/") {
			return k.prefix(on, known) + strings.TrimSuffix(prefix, "/"), true
		}
	}
	return "", false
}

// prefix returns where the router that a call is on answers.
func (k *walker) prefix(on ast.Expr, known prefixes) string {
	if c, ok := on.(*ast.CallExpr); ok {
		if p, ok := k.group(c, known); ok {
			return p
		}
		_, inner := called(c)
		return k.prefix(inner, known)
	}
	if p, ok := known[lastName(on)]; ok && on != nil {
		return p
	}
	return known[""]
}

// nested returns the body in which the routes of a group are registered, and the
// prefixes in it: r.Route("/v1", func(r chi.Router) { … }).
func (k *walker) nested(c *ast.CallExpr, known prefixes) (ast.Node, prefixes) {
	name, on := called(c)
	if name != "Route" && name != "Group" && name != "With" || len(c.Args) == 0 {
		return nil, nil
	}
	f, ok := c.Args[len(c.Args)-1].(*ast.FuncLit)
	if !ok || len(f.Type.Params.List) != 1 {
		return nil, nil
	}
	prefix := k.prefix(on, known)
	if len(c.Args) > 1 {
		p, ok := k.text(c.Args[0])
		if !ok {
			return nil, nil
		}
		prefix += strings.TrimSuffix(p, "/")
	}
	inside := maps.Clone(known)
	for _, id := range f.Type.Params.List[0].Names {
		inside[id.Name] = prefix
	}
	return f.Body, inside
}

// call reads a call that registers a route.
func (k *walker) call(c *ast.CallExpr, known prefixes) {
	name, on := called(c)
	args := c.Args
	if len(args) < 2 {
		return
	}
	method := strings.ToUpper(name)
	verb := isMethod(method)
	if !verb {
		method = ""
		if !registers.MatchString(name) && name != "Any" && name != "All" && name != "Add" && name != "Method" && name != "MethodFunc" {
			return
		}
	}
	handler := args[len(args)-1]
	if !k.answers(handler) {
		return
	}
	if m, ok := k.text(args[0]); ok && isMethod(strings.ToUpper(m)) && len(args) > 2 {
		method, args = strings.ToUpper(m), args[1:]
	}
	pattern, ok := k.pattern(args[0])
	if !ok {
		if on != nil && (name == "HandleFunc" || name == "Handle") {
			k.unread = append(k.unread, k.w.place(c))
		}
		return
	}
	if m, rest, ok := strings.Cut(pattern, " "); ok && isMethod(m) {
		method, pattern = m, strings.TrimSpace(rest)
	}
	if m := k.methods[c]; m != "" {
		method = m
	}
	if pattern == "" && verb {
		pattern = "/"
	}
	if !strings.HasPrefix(pattern, "/") {
		return // of one host, or no route
	}
	k.add(method, k.prefix(on, known)+pattern, handler, c)
}

// pattern folds a pattern, also through a function that may put a prefix before it.
func (k *walker) pattern(e ast.Expr) (string, bool) {
	if v, ok := k.text(e); ok {
		return v, true
	}
	if c, ok := e.(*ast.CallExpr); ok && len(c.Args) == 1 {
		if v, ok := k.text(c.Args[0]); ok && strings.HasPrefix(v, "/") {
			return v, true
		}
	}
	return "", false
}

// literal reads a route from a table: {Pattern: "/load", Handler: h}.
func (k *walker) literal(l *ast.CompositeLit) {
	pattern, ok := k.text(fieldOf(l, "Pattern", "Path", "Route"))
	handler := fieldOf(l, "Handler", "HandlerFunc", "Func")
	if !ok || handler == nil || !strings.HasPrefix(pattern, "/") {
		return
	}
	method, _ := k.text(fieldOf(l, "Method"))
	k.add(method, pattern, handler, l)
}

// answers reports whether an argument can be what answers requests: a function, or
// a value that is made.
func (k *walker) answers(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncLit, *ast.CompositeLit, *ast.CallExpr:
		return true
	case *ast.UnaryExpr:
		_, ok := e.X.(*ast.CompositeLit)
		return ok
	case *ast.Ident:
		return e.Name != "nil" && e.Name != "true" && e.Name != "false" && k.known(e.Name)
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && imported(k.f, x.Name) != "" || len(k.all[e.Sel.Name]) > 0 || strings.Contains(strings.ToLower(e.Sel.Name), "handler")
	}
	return false
}

// known reports whether a name is a function, or a local variable.
func (k *walker) known(name string) bool {
	if len(k.all[name]) > 0 || k.local(name) != nil {
		return true
	}
	if k.in == nil {
		return false
	}
	for _, p := range k.in.Type.Params.List {
		for _, id := range p.Names {
			if id.Name == name {
				return true
			}
		}
	}
	return false
}

// add notes a route.
func (k *walker) add(method, pattern string, handler ast.Expr, at ast.Node) {
	r := Route{Method: method, Pattern: pattern, Place: k.w.place(at)}
	r.judge(k.needsOf(handler))
	k.routes = append(k.routes, r)
}
