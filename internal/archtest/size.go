package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
)

// Limits are the largest sizes that parts of the tree may have. What a generator
// wrote has none: it is neither read nor split.
type Limits struct {
	Methods   int // of one type
	Exports   int // exported names of one package, unless it has its own number (Package.Documents)
	FuncLines int // of one function, from its first line to its closing brace
	FileLines int // of one file
	TestLines int // of one file of tests; of these nothing else is counted
}

// size is how large one part is.
type size struct {
	part  Excess // with the number that was counted
	limit int
	at    Violation // without What
}

// sizes counts what has a limit, in the order of the files.
type sizes struct {
	limits Limits
	list   []size
	index  map[Excess]int     // a part without its number → place in list
	seen   map[[2]string]bool // package or type and name, which files for two systems may both declare
	out    []Violation        // what has no size
}

// checkSizes returns what is too large, and where the table of what is known to be
// so is not true any more.
func (p Policy) checkSizes(files []*source) []Violation {
	s := sizes{limits: p.Limits, index: map[Excess]int{}, seen: map[[2]string]bool{}}
	for _, src := range files {
		if ast.IsGenerated(src.parsed) {
			continue
		}
		whole := Excess{File: src.name, Lines: src.lines}
		if src.test {
			s.add(whole, p.Limits.TestLines, src.at(token.NoPos))
			continue
		}
		s.add(whole, p.Limits.FileLines, src.at(token.NoPos))
		exports := p.Limits.Exports
		if pkg, ok := p.find(path.Dir(src.name)); ok && pkg.Documents > 0 {
			exports = pkg.Documents
		}
		s.file(src, exports)
	}
	return s.judge(p.Known)
}

// add adds to the size of a part. A function that two systems each have their own of
// is as long as the longer one.
func (s *sizes) add(e Excess, limit int, at Violation) {
	k := e.part()
	i, ok := s.index[k]
	if !ok {
		i = len(s.list)
		s.index[k] = i
		s.list = append(s.list, size{part: k, limit: limit, at: at})
	}
	n := &s.list[i].part
	n.Methods += e.Methods
	n.Exports += e.Exports
	if e.Lines > n.Lines {
		n.Lines, s.list[i].at = e.Lines, at
	}
}

// once reports whether a name is met for the first time in a package or type.
func (s *sizes) once(in, name string) bool {
	k := [2]string{in, name}
	if s.seen[k] {
		return false
	}
	s.seen[k] = true
	return true
}

// file counts what a file declares, for a package that may export so many names.
func (s *sizes) file(src *source, exports int) {
	pkg := path.Dir(src.name)
	export := func(id *ast.Ident) {
		switch {
		case !id.IsExported():
		case src.parsed.Name.Name == "main":
			at := src.at(id.Pos())
			at.What = fmt.Sprintf("%s is exported from package main, which nothing can import", id.Name)
			s.out = append(s.out, at)
		case s.once(pkg, id.Name):
			s.add(Excess{Package: pkg, Exports: 1}, exports, src.at(id.Pos()))
		}
	}
	for _, d := range src.parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				export(d.Name)
			}
			s.function(src, pkg, d)
		case *ast.GenDecl:
			declared(d, export)
			s.literals(src, pkg, d)
		}
	}
}

// function counts the lines of a function, and a method for its type.
func (s *sizes) function(src *source, pkg string, d *ast.FuncDecl) {
	name := pkg + "." + d.Name.Name
	if d.Recv != nil && len(d.Recv.List) > 0 {
		of := pkg + "." + receiver(d.Recv.List[0].Type)
		if name = of + "." + d.Name.Name; s.once(of, d.Name.Name) {
			s.add(Excess{Type: of, Methods: 1}, s.limits.Methods, src.at(d.Pos()))
		}
	}
	s.add(Excess{Func: name, Lines: src.span(d)}, s.limits.FuncLines, src.at(d.Pos()))
}

// literals counts the lines of functions without a name in the value of a variable,
// under that variable's name.
func (s *sizes) literals(src *source, pkg string, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		ast.Inspect(v, func(n ast.Node) bool {
			f, ok := n.(*ast.FuncLit)
			if ok {
				s.add(Excess{Func: pkg + "." + v.Names[0].Name, Lines: src.span(f)}, s.limits.FuncLines, src.at(f.Pos()))
			}
			return !ok
		})
	}
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// declared calls export for the types, variables and constants of a declaration that
// count for themselves: a constant of an exported type of the package is part of it.
func declared(d *ast.GenDecl, export func(*ast.Ident)) {
	ofType := false // as the constant before, which one without a value repeats
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			export(spec.Name)
		case *ast.ValueSpec:
			if spec.Type != nil || spec.Values != nil {
				ofType = d.Tok == token.CONST && typed(spec)
			}
			if ofType {
				continue
			}
			for _, name := range spec.Names {
				export(name)
			}
		}
	}
}

// typed reports whether constants have an exported type of their package: it is
// written before the value, or the value is converted to it.
func typed(spec *ast.ValueSpec) bool {
	of := spec.Type
	if of == nil {
		if call, ok := spec.Values[0].(*ast.CallExpr); ok {
			of = call.Fun
		}
	}
	id, ok := of.(*ast.Ident)
	return ok && id.IsExported()
}
