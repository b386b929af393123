package survey

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// needs is what the source of a handler says of the requests that it wants.
type needs struct {
	method  string   // the only one that it takes; empty: not said
	gets    bool     // it has a case for GET
	query   []string // names of values that it reads from the query
	body    bool
	numeric bool // it reads a number from text
	asks    string
}

// handlerDepth is how many calls from the handler on are followed.
const handlerDepth = 3

// needsOf reads what answers at a route.
func (k *walker) needsOf(handler ast.Expr) needs {
	var n needs
	k.look(handler, &n, map[ast.Node]bool{}, 0)
	return n
}

// look follows an expression to the functions that it names.
func (k *walker) look(e ast.Expr, n *needs, seen map[ast.Node]bool, depth int) {
	switch e := e.(type) {
	case *ast.FuncLit:
		k.read(e.Body, n, seen, depth)
	case *ast.Ident:
		k.follow(e.Name, n, seen, depth)
		if made := k.local(e.Name); made != nil && depth < handlerDepth {
			k.look(made, n, seen, depth+1)
		}
	case *ast.SelectorExpr:
		k.follow(e.Sel.Name, n, seen, depth)
	case *ast.CallExpr:
		for _, a := range e.Args {
			k.look(a, n, seen, depth)
		}
		name, _ := called(e)
		k.follow(name, n, seen, depth)
	case *ast.UnaryExpr:
		k.look(e.X, n, seen, depth)
	case *ast.CompositeLit:
		k.serves(lastName(e.Type), n, seen, depth)
	}
}

// follow reads the functions of the package with a name, where there are few.
func (k *walker) follow(name string, n *needs, seen map[ast.Node]bool, depth int) {
	const few = 3
	if fs := k.u.funcs[name]; depth < handlerDepth && len(fs) <= few {
		for _, f := range fs {
			k.read(f.Body, n, seen, depth)
		}
	}
}

// serves reads the method ServeHTTP of a type.
func (k *walker) serves(typeName string, n *needs, seen map[ast.Node]bool, depth int) {
	for _, f := range k.u.funcs["ServeHTTP"] {
		if f.Recv != nil && len(f.Recv.List) == 1 && lastName(f.Recv.List[0].Type) == typeName {
			k.read(f.Body, n, seen, depth)
		}
	}
}

// read collects what a body asks of a request.
func (k *walker) read(body *ast.BlockStmt, n *needs, seen map[ast.Node]bool, depth int) {
	if body == nil || seen[body] {
		return
	}
	seen[body] = true
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			if x := lastName(node.X); node.Sel.Name == "Body" && (x == "r" || x == "req" || x == "request" || x == "Request") {
				n.body = true
			}
		case *ast.BinaryExpr:
			if !strings.HasSuffix(lastName(node.X), "Method") {
				break
			}
			if m, _ := k.text(node.Y); node.Op == token.NEQ {
				n.method = m
			} else if m == "GET" {
				n.gets = true
			}
		case *ast.SwitchStmt:
			n.gets = n.gets || k.casesOf(node, "GET")
		case *ast.BasicLit:
			if strings.Contains(node.Value, "text/event-stream") {
				n.asks = "it streams without an end"
			}
		case *ast.CallExpr:
			k.readCall(node, n, seen, depth)
		}
		return true
	})
}

// casesOf reports whether a switch over the method has a case for one.
func (k *walker) casesOf(s *ast.SwitchStmt, method string) bool {
	if s.Tag == nil || lastName(s.Tag) != "Method" {
		return false
	}
	for _, c := range s.Body.List {
		if clause, ok := c.(*ast.CaseClause); ok && slices.ContainsFunc(clause.List, func(e ast.Expr) bool {
			m, _ := k.text(e)
			return m == method
		}) {
			return true
		}
	}
	return false
}

func (k *walker) readCall(c *ast.CallExpr, n *needs, seen map[ast.Node]bool, depth int) {
	name, on := called(c)
	first := ""
	if len(c.Args) > 0 {
		first, _ = k.text(c.Args[0])
	}
	switch name {
	case "FormValue", "PostFormValue", "QueryParam", "Query", "QueryInt", "DefaultQuery":
		n.reads(first)
	case "Get":
		if q, ok := on.(*ast.CallExpr); ok {
			if inner, _ := called(q); inner == "Query" {
				n.reads(first)
			}
		}
		if first == "Authorization" {
			n.asks = "it asks for credentials"
		}
	case "BasicAuth":
		n.asks = "it asks for credentials"
	case "Upgrade":
		n.asks = "it upgrades to a websocket"
	case "Hijack":
		n.asks = "it takes the connection over"
	case "ParseForm", "ParseMultipartForm", "FormFile", "BodyParser", "Bind", "BindJSON", "ShouldBind", "ShouldBindJSON", "MultipartForm":
		n.body = true
	case "Atoi", "ParseInt", "ParseUint", "ParamsInt":
		n.numeric = true
	default:
		if takesRequest(c) {
			k.follow(name, n, seen, depth+1)
		}
	}
}

// takesRequest reports a call that hands the request on.
func takesRequest(c *ast.CallExpr) bool {
	return slices.ContainsFunc(c.Args, func(e ast.Expr) bool {
		name := lastName(e)
		return name == "r" || name == "req" || name == "request" || name == "c" || name == "ctx"
	})
}

func (n *needs) reads(name string) {
	if name != "" && !slices.Contains(n.query, name) {
		n.query = append(n.query, name)
	}
}

// The words of a path that say what a route is for.
var (
	ends     = regexp.MustCompile(`(?i)^(stop|shutdown|quit|exit|kill|restart|reload|delete|remove|drop|reset|purge|flush|logout|signout|drain|destroy|cancel)$`)
	observes = regexp.MustCompile(`(?i)^(healthz?|livez?|readyz?|liveness|readiness|alive|ping|status|version|metrics|stats|favicon\.ico|robots\.txt|swagger|openapi(\.json|\.yaml)?|docs|static|assets|info)$`)
	numbered = regexp.MustCompile(`(?i)^(id|.*_?id|n|num|number|page|index|idx|no)$`)
	place1   = regexp.MustCompile(`\{\$\}|\{([^}:]*)(?::[^}]*)?\}|:(\w+)\??|\*(\w*)`)
)

// judge says how well a route can be requested as it is. The weights only put an
// order on what the source says; the first of the list is the one that is loaded.
func (r *Route) judge(n needs) {
	switch {
	case r.Method == "" && n.gets:
		r.Method = "GET"
	case r.Method == "":
		r.Method = n.method
	}
	r.fill(n)
	less := func(by float64, why string) {
		r.score -= by
		if why != "" {
			r.Against = append(r.Against, why)
		}
	}
	switch r.Method {
	case "GET":
	case "":
		r.score -= 0.25
	case "HEAD", "OPTIONS", "TRACE", "CONNECT":
		less(never, "no request of a user")
	default:
		less(never, "it changes something, and wants a body")
	}
	for segment := range strings.SplitSeq(strings.Trim(r.Pattern, "/"), "/") {
		switch {
		case segment == "debug":
			r.observes = true
		case ends.MatchString(segment):
			less(never, "by its name it ends or removes something")
		case observes.MatchString(segment):
			less(5, "by its name it tells of the service")
		}
	}
	if n.body && r.Method != "GET" {
		less(never, "it reads a body")
	}
	if len(n.query) > 0 {
		less(1.5, "it reads "+strings.Join(n.query, ", "))
	}
	if n.asks != "" {
		less(never, n.asks)
	}
	if r.Pattern == "/" {
		r.score--
	} else if strings.HasSuffix(r.Pattern, "/") {
		r.score -= 0.5
	}
}

// never is more than all that speaks for a route: it is told, and not requested.
const never = 100

// fill makes a path that fits the pattern.
func (r *Route) fill(n needs) {
	guessed := false
	r.Path = place1.ReplaceAllStringFunc(r.Pattern, func(part string) string {
		m := place1.FindStringSubmatch(part)
		name := m[1] + m[2] + m[3]
		switch {
		case part == "{$}":
			return ""
		case strings.HasPrefix(part, "*") || strings.HasSuffix(name, "..."):
			r.score -= 2
			return ""
		case n.numeric:
			r.score++
		case !numbered.MatchString(name):
			guessed = true
		}
		return "1"
	})
	if guessed {
		r.score -= 2
		r.Against = append(r.Against, "1 stands for a value that the source does not tell")
	}
}
