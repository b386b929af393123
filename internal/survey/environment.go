package survey

import (
	"go/ast"
	"regexp"
	"strings"
)

// Variable is one that a program reads from its environment.
type Variable struct {
	Name, Default, Place string
	required             bool
	near                 int
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
