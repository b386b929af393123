package offers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of what is looked through for the packages of a module that use one of its internal ones.
const (
	maxImports = 1500 // files
	maxUsers   = 3
)

// aside are the folders of a module that have nothing for its users.
var aside = words("testdata vendor internal examples example samples cmd bench benchmarks tests test")

// usersOf is the packages of a module through which its users set what one of its internal packages reads: those that import that, and
// are not internal.
func (r *Reader) usersOf(p *source, root, module string) []*source {
	out, looked := []*source{}, 0
	walk := func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || looked == maxImports || len(out) == maxUsers:
			return fs.SkipAll
		case e.IsDir() && name != root && (slices.Contains(aside, e.Name()) || strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_")):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		looked++
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil || !slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+p.path+`"` }) {
			return nil
		}
		folder := filepath.Dir(name)
		below, err := filepath.Rel(root, folder)
		if err != nil {
			return nil
		}
		if user := r.parse(folder, path.Join(module, filepath.ToSlash(below)), p.version); user != nil && user != p && !slices.Contains(out, user) {
			out = append(out, user)
		}
		return nil
	}
	if filepath.WalkDir(root, walk) != nil {
		return nil // what could be read of it was
	}
	return out
}

// handsDown is the settings of a package with which it fills fields of another's structs, by the names of these.
func handsDown(p *source, to *source) map[string][]setting {
	out, known := map[string][]setting{}, p.settings()
	put := func(field, value ast.Expr) {
		name, from := lastName(field), lastName(value)
		if name == "" || from == "" || !hasField(to, name) {
			return
		}
		for _, s := range known[from] {
			if !slices.Contains(out[name], s) {
				out[name] = append(out[name], s)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		ast.Inspect(p.funcs[name], func(n ast.Node) bool {
			if made, ok := n.(*ast.CompositeLit); ok {
				if sel, of := made.Type.(*ast.SelectorExpr); of && to.structs[sel.Sel.Name] != nil {
					for _, e := range made.Elts {
						if kv, is := e.(*ast.KeyValueExpr); is {
							put(kv.Key, kv.Value)
						}
					}
				}
			}
			return true
		})
	}
	return out
}

// hasField reports whether a struct of the package has a field of a name.
func hasField(p *source, name string) bool {
	for _, s := range p.structs {
		for _, f := range s.Fields.List {
			if slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.Name == name }) {
				return true
			}
		}
	}
	return false
}
