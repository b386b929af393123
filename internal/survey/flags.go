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
