package survey

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// unit is one package whose source was parsed.
type unit struct {
	path   string
	dir    string
	near   int // imports between the program and it
	files  []*ast.File
	values map[string]valueOf // constants and variables of the package
	funcs  map[string][]*ast.FuncDecl
	bound  map[string]*Flag // flags by the last name of the variable that they set
}

// valueOf is what a name of a package begins with.
type valueOf struct {
	file *ast.File
	expr ast.Expr
}

// world is what was parsed of one repository.
type world struct {
	dir      string
	set      *token.FileSet
	packages map[string]listed
	units    map[string]*unit
	locals   map[*ast.FuncDecl]map[string]ast.Expr // what was folded once
	unread   []string
}

// reach returns the packages that a program is made of, nearest first, as far as
// their source is in the workspace.
func (w *world) reach(program string) []*unit {
	var out []*unit
	near := map[string]int{program: 0}
	queue := []string{program}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		u := w.parse(at)
		if u == nil {
			continue
		}
		one := *u
		one.near = near[at]
		out = append(out, &one)
		next := map[string]bool{}
		for _, f := range u.files {
			for _, spec := range f.Imports {
				if name, err := strconv.Unquote(spec.Path.Value); err == nil {
					next[name] = true
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(next)) {
			if _, ours := w.packages[name]; !ours {
				continue
			}
			if _, seen := near[name]; !seen {
				near[name] = near[at] + 1
				queue = append(queue, name)
			}
		}
	}
	return out
}

// parse parses a package once; nil when it has no source here.
func (w *world) parse(name string) *unit {
	if u, ok := w.units[name]; ok {
		return u
	}
	p := w.packages[name]
	u := &unit{path: name, dir: p.Dir, values: map[string]valueOf{}, funcs: map[string][]*ast.FuncDecl{}, bound: map[string]*Flag{}}
	w.units[name] = u
	for _, file := range slices.Concat(p.GoFiles, p.CgoFiles) {
		full := filepath.Join(p.Dir, file)
		f, err := parser.ParseFile(w.set, full, nil, parser.SkipObjectResolution)
		if f == nil || err != nil {
			w.unread = append(w.unread, strings.ReplaceAll(err.Error(), w.dir+string(filepath.Separator), ""))
		}
		if f != nil {
			u.add(f)
		}
	}
	return u
}

// add indexes the declarations of a file.
func (u *unit) add(f *ast.File) {
	u.files = append(u.files, f)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			u.funcs[d.Name.Name] = append(u.funcs[d.Name.Name], d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok || len(v.Values) != len(v.Names) {
					continue
				}
				for i, name := range v.Names {
					u.values[name.Name] = valueOf{f, v.Values[i]}
				}
			}
		}
	}
}

// place is where a node stands, relative to the folder that is looked at.
func (w *world) place(n ast.Node) string {
	at := w.set.Position(n.Pos())
	name := at.Filename
	if rel, err := filepath.Rel(w.dir, name); err == nil && (filepath.IsLocal(rel) || strings.Count(rel, "..") < 3) {
		name = filepath.ToSlash(rel)
	}
	return name + ":" + strconv.Itoa(at.Line)
}

// version is the last element of the path of a later major version.
var version = regexp.MustCompile(`^v[0-9]+$`)

// imported returns the path that a name of a file stands for; empty when it is no
// import.
func imported(f *ast.File, name string) string {
	for _, spec := range f.Imports {
		full, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if spec.Name != nil {
			if spec.Name.Name == name {
				return full
			}
			continue
		}
		base := path.Base(full)
		if version.MatchString(base) {
			base = path.Base(path.Dir(full))
		}
		if base == name || strings.TrimPrefix(base, "go-") == name {
			return full
		}
	}
	return ""
}

// called returns the last name of what a call calls, and what stands before it.
func called(c *ast.CallExpr) (name string, on ast.Expr) {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name, nil
	case *ast.SelectorExpr:
		return f.Sel.Name, f.X
	}
	return "", nil
}

// lastName returns the name at the end of a chain: addr of &c.addr.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return lastName(e.X)
	case *ast.UnaryExpr:
		return lastName(e.X)
	case *ast.ParenExpr:
		return lastName(e.X)
	}
	return ""
}

// each calls visit for every node of the package, with the function that it is in;
// nil outside of functions.
func (u *unit) each(visit func(f *ast.File, in *ast.FuncDecl, n ast.Node)) {
	for _, f := range u.files {
		for _, d := range f.Decls {
			in, _ := d.(*ast.FuncDecl)
			ast.Inspect(d, func(n ast.Node) bool {
				if n != nil {
					visit(f, in, n)
				}
				return true
			})
		}
	}
}
