package offers

import (
	"go/ast"
	"go/token"
	"strings"
)

// typeOf prints a type as far as settings have one: a name, or a package's name.
func typeOf(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		if x, ok := t.X.(*ast.Ident); ok {
			return x.Name + "." + t.Sel.Name
		}
	case *ast.StarExpr:
		return typeOf(t.X)
	case *ast.IndexExpr:
		return typeOf(t.X) // Cache[K]
	case *ast.IndexListExpr:
		return typeOf(t.X) // Cache[K, V]
	}
	return ""
}

// kindOf is the type of a value, as far as its shape says it.
func kindOf(v ast.Expr) string {
	switch v := v.(type) {
	case *ast.BasicLit:
		if v.Kind == token.INT {
			return "int"
		}
	case *ast.Ident:
		if v.Name == "true" || v.Name == "false" {
			return "bool"
		}
	case *ast.BinaryExpr:
		if k := kindOf(v.Y); k != "int" && k != "" {
			return k
		}
		return kindOf(v.X)
	case *ast.SelectorExpr:
		if x, ok := v.X.(*ast.Ident); ok && x.Name == "time" {
			return x.Name + ".Duration" // time.Second
		}
	case *ast.CallExpr:
		return typeOf(v.Fun)
	}
	return ""
}

// firstOf is the first sentence of the first of some comments that says anything.
func firstOf(comments ...*ast.CommentGroup) string {
	for _, c := range comments {
		text := strings.TrimLeft(strings.Join(strings.Fields(c.Text()), " "), "* ") // of a block with a star a line
		if text == "" {
			continue
		}
		if i := strings.Index(text, ". "); i > 0 {
			text = text[:i]
		}
		return shortened(strings.TrimSuffix(text, "."))
	}
	return ""
}

func shortened(text string) string {
	if r := []rune(text); len(r) > maxDoc {
		return string(r[:maxDoc]) + "…"
	}
	return text
}

const maxDoc = 200 // characters of a sentence
