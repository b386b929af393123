package survey

import (
	"go/ast"
	"slices"
	"strings"
)

// Command is a word that makes a program serve: server run.
type Command struct {
	Word, About, Place string

	rank     int
	at       ast.Node // the literal
	variable string   // that it is assigned to
}

// own keeps the flags of the command: those that are defined in it, or on its
// variable. Where none is, all may be.
func (c *Command) own(flags []*Flag) []*Flag {
	var out []*Flag
	for _, g := range flags {
		inside := c.at.Pos() <= g.pos && g.pos < c.at.End()
		if inside || c.variable != "" && g.on == c.variable {
			out = append(out, g)
		}
	}
	if len(out) == 0 {
		return flags
	}
	return out
}

// serving are the words that programs use for it, the plainest first.
func serving() []string {
	return []string{"serve", "server", "run", "daemon", "start", "web", "http", "api", "up", "listen"}
}

// command finds the word that makes a program serve, in literals such as
// cobra.Command{Use: "serve"} and in a switch over the arguments. It is nil when the
// program has no such words, or serves without one.
func (w *world) command(u *unit, program string) (best *Command, whole bool) {
	assigned := map[ast.Node]string{}
	note := func(name string, to ast.Expr) {
		if u, ok := to.(*ast.UnaryExpr); ok {
			to = u.X
		}
		assigned[to] = name
	}
	keep := func(word, about string, at ast.Node) {
		rank := slices.Index(serving(), word)
		if rank >= 0 && (best == nil || rank < best.rank) {
			best = &Command{Word: word, About: about, Place: w.place(at), rank: rank, at: at, variable: assigned[at]}
		}
	}
	u.each(func(f *ast.File, in *ast.FuncDecl, n ast.Node) {
		s := scope{w, u, f, in}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i := range min(len(n.Lhs), len(n.Rhs)) {
				note(lastName(n.Lhs[i]), n.Rhs[i])
			}
		case *ast.ValueSpec:
			for i := range min(len(n.Names), len(n.Values)) {
				note(n.Names[i].Name, n.Values[i])
			}
		case *ast.CompositeLit:
			if n.Type == nil || lastName(n.Type) != "Command" {
				return
			}
			use, ok := s.text(fieldOf(n, "Use", "Name"))
			word, _, _ := strings.Cut(use, " ")
			if !ok {
				return
			}
			if word == program && fieldOf(n, "Run", "RunE", "Action") != nil {
				whole = true
			}
			about, _ := s.text(fieldOf(n, "Short", "Usage", "ShortHelp"))
			keep(word, about, n)
		case *ast.SwitchStmt:
			if !firstArgument(n.Tag) {
				return
			}
			for _, c := range n.Body.List {
				clause, ok := c.(*ast.CaseClause)
				if !ok {
					continue
				}
				for _, e := range clause.List {
					if word, ok := s.text(e); ok {
						keep(word, "", clause)
					}
				}
			}
		}
	})
	return best, whole
}

// firstArgument reports os.Args[1] and flag.Arg(0).
func firstArgument(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return lastName(e.X) == "Args"
	case *ast.CallExpr:
		name, _ := called(e)
		return name == "Arg"
	}
	return false
}
