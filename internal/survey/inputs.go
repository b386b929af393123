package survey

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// Flag is an argument that a program takes.
type Flag struct {
	Name    string // with its dashes, as it is typed
	Kind    string // String, Int, Bool, Duration, …: of the call that defines it
	Default string
	Usage   string
	Place   string

	known    bool // the default is a constant
	required bool
	sets     string // last name of the variable
	on       string // variable of the command that it belongs to
	pos      token.Pos
	near     int
}

// Variable is one that a program reads from its environment.
type Variable struct {
	Name, Default, Place string
	required             bool
	near                 int
}

// flagCall is a call that defines a flag: of package flag, and of pflag with a short
// name beside (P).
var flagCall = regexp.MustCompile(`^(String|Int|Int64|Uint|Uint16|Uint64|Bool|Duration|Float64|StringSlice|StringArray|Text)(Var)?(P)?$`)

var flagName = regexp.MustCompile(`^[A-Za-z][\w.-]*$`)

// flags finds the flags that a package defines.
func (w *world) flags(u *unit) []*Flag {
	var out []*Flag
	assigned := map[ast.Expr]string{}
	u.each(func(f *ast.File, in *ast.FuncDecl, n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if len(n.Lhs) == len(n.Rhs) {
					assigned[r] = lastName(n.Lhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, v := range n.Values {
				if i < len(n.Names) {
					assigned[v] = n.Names[i].Name
				}
			}
		case *ast.CallExpr:
			if g := w.flag(scope{w, u, f, in}, n); g != nil {
				if g.sets == "" {
					g.sets = assigned[n]
				}
				out = append(out, g)
			}
		case *ast.CompositeLit:
			if g := w.flagLiteral(scope{w, u, f, in}, n); g != nil {
				out = append(out, g)
			}
		}
	})
	for _, g := range out {
		g.near = u.near
		if g.sets != "" && (u.bound[g.sets] == nil || !u.bound[g.sets].known) {
			u.bound[g.sets] = g
		}
	}
	return out
}

// flag reads a call such as flag.String(name, default, usage).
func (w *world) flag(s scope, c *ast.CallExpr) *Flag {
	name, on := called(c)
	m := flagCall.FindStringSubmatch(name)
	if m == nil || on == nil {
		return nil
	}
	args := c.Args
	g := &Flag{Kind: m[1], Place: w.place(c), pos: c.Pos()}
	long := m[3] != "" // with two dashes
	if made, ok := on.(*ast.CallExpr); ok {
		inner, command := called(made)
		long, g.on = strings.HasSuffix(inner, "Flags"), lastName(command)
	}
	if m[2] != "" {
		if len(args) == 0 {
			return nil
		}
		g.sets, args = lastName(args[0]), args[1:]
	}
	if m[3] != "" {
		if len(args) != 4 {
			return nil
		}
		args = slices.Delete(slices.Clone(args), 1, 2)
	}
	if len(args) != 3 {
		return nil
	}
	plain, ok := s.text(args[0])
	if !ok || !flagName.MatchString(plain) {
		return nil
	}
	g.Name = "-" + plain
	if long || imported(s.f, "flag") != "flag" && importsAny(s.f, "github.com/spf13/pflag", "github.com/spf13/cobra") {
		g.Name = "--" + plain
	}
	g.Default, g.known = s.text(args[1])
	if id, ok := args[1].(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
		g.Default, g.known = id.Name, true
	}
	g.Usage, _ = s.text(args[2])
	return g
}

func importsAny(f *ast.File, paths ...string) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
		return slices.Contains(paths, strings.Trim(i.Path.Value, `"`))
	})
}

// flagLiteral reads a literal such as &cli.StringFlag{Name: "addr", Value: ":80"}.
func (w *world) flagLiteral(s scope, l *ast.CompositeLit) *Flag {
	kind, ok := strings.CutSuffix(lastName(l.Type), "Flag")
	if !ok || kind == "" || l.Type == nil {
		return nil
	}
	plain, ok := s.text(fieldOf(l, "Name"))
	if !ok || !flagName.MatchString(plain) {
		return nil
	}
	g := &Flag{Name: "--" + plain, Kind: kind, Place: w.place(l), known: true, pos: l.Pos()}
	if v := fieldOf(l, "Value"); v != nil {
		g.Default, g.known = s.text(v)
	}
	g.Usage, _ = s.text(fieldOf(l, "Usage"))
	if id, ok := fieldOf(l, "Required").(*ast.Ident); ok {
		g.required = id.Name == "true"
	}
	return g
}

// fieldOf returns the value of a field of a literal, nil when it is not set.
func fieldOf(l *ast.CompositeLit, names ...string) ast.Expr {
	for _, e := range l.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && slices.Contains(names, lastName(kv.Key)) {
			return kv.Value
		}
	}
	return nil
}

// envHelper is how functions are called that read a variable or its default.
var envHelper = regexp.MustCompile(`(?i)^(get|lookup|must|read)?_?env(ironment)?(or|string|str|default|withdefault|ordefault|var|int)?$`)

var envName = regexp.MustCompile(`^[A-Z][A-Z0-9_]+$`)

// variables finds what a package reads from the environment.
func (w *world) variables(u *unit) []Variable {
	var out []Variable
	u.each(func(f *ast.File, in *ast.FuncDecl, n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) == 0 || len(c.Args) > 2 {
			return
		}
		name, _ := called(c)
		if !envHelper.MatchString(name) && name != "LookupEnv" {
			return
		}
		s := scope{w, u, f, in}
		v, ok := s.text(c.Args[0])
		if !ok || !envName.MatchString(v) || systemVariable(v) || strings.HasPrefix(v, "UNPARK_") {
			return
		}
		one := Variable{Name: v, Place: w.place(c), near: u.near}
		if len(c.Args) == 2 {
			one.Default, _ = s.text(c.Args[1])
		}
		out = append(out, one)
	})
	return out
}

// systemVariable reports what every process has from its system or its runtime.
func systemVariable(name string) bool {
	switch name {
	case "HOME", "PATH", "USER", "TMPDIR", "PWD", "SHELL", "TERM", "LANG", "TZ", "EDITOR", "HOSTNAME", "NO_COLOR",
		"GOMAXPROCS", "GOMEMLIMIT", "GOGC", "HOMEDRIVE", "HOMEPATH", "APPDATA", "NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS":
		return true
	}
	return false
}

// lack is how a program says that it was not given something.
var (
	lack        = regexp.MustCompile(`(?i)\b(is|are) (required|missing|mandatory|not (set|given|specified|provided))\b|\bmust be (set|given|specified|provided)\b|\b(required|missing|mandatory)\b|\b(must|please|need to) (set|specify|provide|give|pass)\b|\bnot set\b`)
	conditional = regexp.MustCompile(`(?i)\b(when|if|unless|with|together|also)\b`)
)

// needs marks what a package says it cannot do without: a flag or variable without
// a default that a message names as missing.
func (w *world) needs(u *unit, flags []*Flag, variables []Variable) {
	for _, g := range flags {
		g.required = g.required || g.empty() && strings.Contains(strings.ToLower(g.Usage), "(required)")
	}
	u.each(func(f *ast.File, in *ast.FuncDecl, n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) == 0 {
			return
		}
		s := scope{w, u, f, in}
		name, on := called(c)
		switch {
		case strings.HasSuffix(name, "FlagRequired"):
			v, _ := s.text(c.Args[len(c.Args)-1])
			markLast(flags, v, lastName(on), c.Pos())
		case !flagCall.MatchString(name):
			for _, a := range c.Args {
				if l, ok := a.(*ast.BasicLit); ok && l.Kind == token.STRING {
					text, _ := s.text(l)
					missing(text, flags, variables)
				}
			}
		}
	})
}

// missing reads a message of the program.
func missing(text string, flags []*Flag, variables []Variable) {
	const longest = 200 // what is longer is a manual
	if len(text) > longest || !lack.MatchString(text) || conditional.MatchString(text) {
		return
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n,;:()'\"`<>", r) }) {
		if name := strings.TrimLeft(word, "-"); name != word {
			// Where several commands have a flag of that name, a message does not say which.
			if named := withName(flags, name); len(named) == 1 && named[0].empty() {
				named[0].required = true
			}
		}
		for i := range variables {
			if variables[i].Name == strings.TrimPrefix(word, "$") && variables[i].Default == "" {
				variables[i].required = true
			}
		}
	}
}

func withName(flags []*Flag, name string) []*Flag {
	return slices.DeleteFunc(slices.Clone(flags), func(g *Flag) bool { return g.plain() != name })
}

// markLast says that a flag of a command is required: the one of that name which was
// defined last before.
func markLast(flags []*Flag, name, on string, at token.Pos) {
	var last *Flag
	for _, g := range flags {
		if g.plain() == name && g.on == on && g.pos < at && (last == nil || g.pos > last.pos) {
			last = g
		}
	}
	if last != nil && last.empty() {
		last.required = true
	}
}

// plain is the name without dashes.
func (g *Flag) plain() string { return strings.TrimLeft(g.Name, "-") }

// empty reports a flag whose default says nothing.
func (g *Flag) empty() bool { return g.known && (g.Default == "" || g.Default == "0") }

// listOf are values that a usage text lists.
var (
	listOf = regexp.MustCompile(`(?:\(|: |one of:? )([\w.-]+(?:(?: ?[,|/] ?(?:or )?| or )[\w.-]+)+)`)
	parts  = regexp.MustCompile(` ?[,|/] ?(?:or )?| or `)
	inside = regexp.MustCompile(`(?i)^(mem|memory|inmem|in-memory|inmemory|ram)$`)
)

// choices returns the values that a flag's usage lists, the one that needs nothing
// outside of the process first.
func (g *Flag) choices() []string {
	m := listOf.FindStringSubmatch(g.Usage)
	if m == nil {
		return nil
	}
	all := parts.Split(m[1], -1)
	if i := slices.IndexFunc(all, inside.MatchString); i > 0 {
		first := all[i]
		all = slices.Insert(slices.Delete(all, i, i+1), 0, first)
	}
	return all
}
