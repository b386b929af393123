// Package archtest holds the policy of the repository, on what its packages may
// import, how large its parts may become and where symbols are named, and the check that the test of this
// package runs over the source tree. Begin with policy.go.
//
// The check reads every Go file, whatever its build constraints, so that an edge
// which exists on one system only is seen on all.
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
	"strings"
)

// Policy says which imports a tree may have, and how large its parts may be.
type Policy struct {
	Module   string            // import path of the tree's root; folders below extend it, also those with a go.mod
	Packages []Package         // one line for each folder; a folder without a line of its own takes its parent's
	Top      []string          // packages that only themselves and tests import
	Sole     map[string]string // import path → the one package that may have it
	Names    []string          // names that no package may have
	Limits   Limits
	Known    []Excess // what is over a limit; it must shrink to nothing
	// Catalogues are the folders that alone may name functions of Go and of known modules;
	// the first has the roles that others ask for.
	Catalogues []string
	Symbols    []Symbol // what is named elsewhere; it can only shrink
}

// Package is what one folder, and the folders below it, may import.
type Package struct {
	Path  string   // relative to the root; "." is the root itself
	Sees  []string // packages of the tree; "*" is all but those on top
	Std   bool     // nothing from other modules
	Never []string // import paths that are forbidden; "os" is os/exec too, "net" is net alone
	// Documents: its names are what documents or services are written with, so that
	// their number follows from what there is to say. It is the number of exported
	// names that it may have instead of Limits.Exports; 0 exempts nothing.
	Documents int
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

// Check reads the Go files of tree and returns what p forbids: imports and names in
// the order of the files, then what is too large, then symbols that only the
// catalogue names. It skips testdata and folders
// whose name begins with "." or "_". An error means that the tree could not be
// read, or that a file is not Go.
func Check(tree fs.FS, p Policy) ([]Violation, error) {
	var out []Violation
	var files []*source
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
		src, err := parse(tree, file)
		if err != nil {
			return err
		}
		files = append(files, src)
		vs, err := p.checkImports(src)
		out = append(out, vs...)
		return err
	})
	if err != nil {
		return out, fmt.Errorf("archtest: %w", err)
	}
	return slices.Concat(out, p.checkSizes(files), p.checkSymbols(files)), nil
}

func skipped(dir string) bool {
	base := path.Base(dir)
	return dir != "." && (base == "testdata" || base == "node_modules" || base[0] == '.' || base[0] == '_')
}

// source is one Go file.
type source struct {
	name   string // relative to the root
	set    *token.FileSet
	parsed *ast.File
	lines  int
	test   bool
}

func parse(tree fs.FS, name string) (*source, error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution|parser.ParseComments)
	return &source{name, set, parsed, bytes.Count(text, []byte("\n")), strings.HasSuffix(name, "_test.go")}, err
}

// at returns where a violation is; without a position it is the whole file.
func (s *source) at(pos token.Pos) Violation {
	return Violation{File: s.name, Line: s.set.Position(pos).Line}
}

// span returns how many lines a node has.
func (s *source) span(n ast.Node) int { return s.at(n.End()).Line - s.at(n.Pos()).Line + 1 }
