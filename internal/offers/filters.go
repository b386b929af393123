package offers

import (
	"go/ast"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

// of what work is done, and of what not: the words of settings that say it.
var filtering = words("skip skipper exclude excluded excludes ignore ignored ignores except only filter filters include included includes allow allowed predicate matcher types extensions")

// filters is the settings by which users say for what a package does its work, where functions on the way read them: a list or a function, which
// has neither a size nor a mode. What compresses, records or checks for all may do so for few.
func filters(p *source, functions []string, f unpark.Finding) []found {
	if waits(f.Class) {
		return nil
	}
	read := map[string]string{} // what the functions read, and which of them
	for _, function := range functions {
		if d := p.funcs[local(function)]; d != nil {
			names, _ := p.reads(d)
			for name := range names {
				if read[name] == "" {
					read[name] = nameOf(d)
				}
			}
		}
	}
	var out []found
	add := func(name, kind string, doc string, fields []string) {
		for _, field := range fields {
			if by := read[field]; by != "" {
				out = append(out, found{setting: setting{name: name, kind: kind, doc: doc, pkg: p}, at: functions[0], by: by, score: capacity + 1, read: field})
				return
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		d := p.funcs[name]
		if d.Body != nil && d.Name.IsExported() && !deprecated(d.Doc) && (option(p, d) || options.MatchString(name)) && says(d.Name.Name) && several(d) {
			add(name, "func", firstOf(d.Doc), fieldsSet(d))
		}
	}
	for _, of := range slices.Sorted(maps.Keys(p.structs)) {
		for _, field := range p.structs[of].Fields.List {
			if !exportedType(of) || !configures.MatchString(of) || !plenty(field.Type) || deprecated(field.Doc) {
				continue
			}
			for _, id := range field.Names {
				if id.IsExported() && says(id.Name) {
					add(of+"."+id.Name, "", firstOf(field.Doc, field.Comment), []string{id.Name})
				}
			}
		}
	}
	return out
}

// says reports whether a name has a word that says of what work is done.
func says(name string) bool {
	return slices.ContainsFunc(unpark.Words(name), func(w string) bool { return slices.Contains(filtering, w) })
}

// several reports whether a function takes a list or a function.
func several(d *ast.FuncDecl) bool {
	return slices.ContainsFunc(d.Type.Params.List, func(f *ast.Field) bool { return plenty(f.Type) })
}

// plenty reports whether a type is of a list, a map or a function.
func plenty(e ast.Expr) bool {
	switch e.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.FuncType, *ast.Ellipsis:
		return true
	}
	return false
}

// fieldsSet is the fields that a function assigns to.
func fieldsSet(d *ast.FuncDecl) []string {
	var out []string
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, to := range a.Lhs {
				if field, ok := to.(*ast.SelectorExpr); ok {
					out = append(out, field.Sel.Name)
				}
			}
		}
		return true
	})
	return out
}
