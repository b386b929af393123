package slowdown

import (
	"go/ast"
	"strings"

	"github.com/unpark-go/unpark"
)

// symbol is what a function's name in a profile says of its declaration.
type symbol struct {
	receiver string // type name, without pointer and type arguments; empty: a function
	name     string
	literal  bool // it is a function literal inside of that declaration
}

// parseSymbol reads a name as pprof prints it (cmd/compile/internal/ir.closureName):
// "main.(*T[...]).M.func1" is a literal in method M of T.
func parseSymbol(function string) symbol {
	function = strings.TrimSuffix(unpark.WithoutTypeArguments(function), "-fm")
	function = function[strings.LastIndexByte(function, '/')+1:]
	_, rest, _ := strings.Cut(function, ".")
	parts := strings.Split(rest, ".")
	var s symbol
	for len(parts) > 1 {
		last, _, _ := strings.Cut(parts[len(parts)-1], "-range")
		if last != "" && !numbered(last, "") && !numbered(last, "func") && !numbered(last, "gowrap") && !numbered(last, "deferwrap") {
			parts[len(parts)-1] = last
			break
		}
		if numbered(last, "func") || numbered(last, "") {
			s.literal = true
		}
		parts = parts[:len(parts)-1]
	}
	s.name, _, _ = strings.Cut(parts[len(parts)-1], "-range")
	if len(parts) > 1 {
		s.receiver = strings.Trim(parts[len(parts)-2], "(*)")
	}
	return s
}

// numbered reports whether s is prefix and a number.
func numbered(s, prefix string) bool {
	rest, ok := strings.CutPrefix(s, prefix)
	return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}

// of reports whether the symbol names the declaration, or is written in it.
func (s symbol) of(d *ast.FuncDecl) bool {
	receiver := ""
	if d.Recv != nil && len(d.Recv.List) == 1 {
		receiver = typeName(d.Recv.List[0].Type)
	}
	return s.name == d.Name.Name && s.receiver == receiver
}

func typeName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.ParenExpr:
		return typeName(t.X)
	case *ast.IndexExpr:
		return typeName(t.X)
	case *ast.IndexListExpr:
		return typeName(t.X)
	}
	return ""
}
