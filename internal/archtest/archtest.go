// Package archtest holds the dependency policy of the repository and the check
// that the test of this package runs over the source tree.
//
// The check reads import clauses of every Go file, whatever its build
// constraints, so that an edge which exists on one system only is seen on all.
package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Policy says which imports a tree may have.
type Policy struct {
	Module   string            // import path of the tree's root; folders below extend it, also those with a go.mod
	Packages []Package         // one line for each folder; a folder without a line of its own takes its parent's
	Top      []string          // packages that only themselves and tests import
	Sole     map[string]string // import path → the one package that may have it
	Names    []string          // names that no package may have
	MaxLines int               // of one Go file, tests included
}

// Package is what one folder, and the folders below it, may import.
type Package struct {
	Path  string   // relative to the root; "." is the root itself
	Sees  []string // packages of the tree; "*" is all but those on top
	Std   bool     // nothing from other modules
	Never []string // import paths that are forbidden; "os" is os/exec too, "net" is net alone
}

// Violation is one thing that the policy forbids.
type Violation struct {
	File string // relative to the root
	Line int    // 0 when the whole file is meant
	What string
}

// String prints "file:line: what".
func (v Violation) String() string {
	if v.Line == 0 {
		return v.File + ": " + v.What
	}
	return fmt.Sprintf("%s:%d: %s", v.File, v.Line, v.What)
}

// Check reads the Go files of tree and returns what p forbids, in the order of
// the files. It skips testdata and folders whose name begins with "." or "_".
// An error means that the tree could not be read, or that a file is no Go.
func Check(tree fs.FS, p Policy) ([]Violation, error) {
	var out []Violation
	err := fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipped(file) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(file) != ".go" {
			return nil
		}
		vs, err := p.checkFile(tree, file)
		out = append(out, vs...)
		return err
	})
	if err != nil {
		return out, fmt.Errorf("archtest: %w", err)
	}
	return out, nil
}

func skipped(dir string) bool {
	base := path.Base(dir)
	return dir != "." && (base == "testdata" || base == "node_modules" || base[0] == '.' || base[0] == '_')
}

func (p Policy) checkFile(tree fs.FS, file string) ([]Violation, error) {
	src, err := fs.ReadFile(tree, file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, src, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var out []Violation
	// Nobody reads, or splits, what a generator wrote.
	if n := bytes.Count(src, []byte("\n")); n > p.MaxLines && !ast.IsGenerated(parsed) {
		out = append(out, Violation{file, 0, fmt.Sprintf("%d lines, more than %d: split it by what the parts are for", n, p.MaxLines)})
	}
	if name := parsed.Name.Name; slices.Contains(p.Names, strings.TrimSuffix(name, "_test")) {
		line := set.Position(parsed.Name.Pos()).Line
		out = append(out, Violation{file, line, fmt.Sprintf("package %s: name it for what it does", name)})
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return out, fmt.Errorf("%s: import %s: %w", file, spec.Path.Value, err)
		}
		what := p.forbids(path.Dir(file), imported)
		if imported == "C" {
			what = "cgo: the tool must build wherever Go does"
		} else if strings.HasSuffix(file, "_test.go") {
			what = ""
		}
		if what != "" {
			out = append(out, Violation{file, set.Position(spec.Pos()).Line, what})
		}
	}
	return out, nil
}

// forbids says why a package in dir may not import a path, or "".
func (p Policy) forbids(dir, imported string) string {
	pkg, ok := p.find(dir)
	if !ok {
		return fmt.Sprintf("%s has no line in the policy: add one to internal/archtest/policy.go", dir)
	}
	if owner, ok := p.Sole[imported]; ok && owner != pkg.Path {
		return fmt.Sprintf("%s may not import %s: only %s does", pkg.Path, imported, owner)
	}
	for _, never := range pkg.Never {
		if imported == never || never != "net" && strings.HasPrefix(imported, never+"/") {
			return fmt.Sprintf("%s may not import %s: it computes, others read and write", pkg.Path, imported)
		}
	}
	if local, ok := p.local(imported); ok {
		return p.forbidsLocal(pkg, local)
	}
	if first, _, _ := strings.Cut(imported, "/"); pkg.Std && strings.Contains(first, ".") {
		return fmt.Sprintf("%s may not import %s: it uses the standard library only", pkg.Path, imported)
	}
	return ""
}

func (p Policy) forbidsLocal(pkg Package, local string) string {
	seen, ok := p.find(local)
	if !ok {
		return fmt.Sprintf("%s imports %s, which has no line in the policy", pkg.Path, local)
	}
	if seen.Path == pkg.Path {
		return ""
	}
	if slices.Contains(p.Top, seen.Path) {
		return fmt.Sprintf("%s may not import %s: nothing imports %s", pkg.Path, called(local), seen.Path)
	}
	if slices.Contains(pkg.Sees, "*") || slices.Contains(pkg.Sees, local) || slices.Contains(pkg.Sees, seen.Path) {
		return ""
	}
	return fmt.Sprintf("%s may not import %s: it sees %s", pkg.Path, called(local), describe(pkg.Sees))
}

// find returns the line for a folder: its own, or that of the nearest folder
// above it. The root's line is for the root alone.
func (p Policy) find(dir string) (Package, bool) {
	for at := dir; ; at = path.Dir(at) {
		for _, pkg := range p.Packages {
			if pkg.Path == at && (at != "." || dir == ".") {
				return pkg, true
			}
		}
		if at == "." {
			return Package{}, false
		}
	}
}

// local returns the folder of a package of the tree.
func (p Policy) local(imported string) (string, bool) {
	if imported == p.Module {
		return ".", true
	}
	return strings.CutPrefix(imported, p.Module+"/")
}

func describe(sees []string) string {
	if len(sees) == 0 {
		return "no other package of this tree"
	}
	names := make([]string, len(sees))
	for i, s := range sees {
		names[i] = called(s)
	}
	return strings.Join(names, ", ")
}

func called(dir string) string {
	if dir == "." {
		return "the root package"
	}
	return dir
}
