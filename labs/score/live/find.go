package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// test is one function of a package.
type test struct {
	folder string // from the root, with slashes
	name   string
}

func (t test) String() string { return t.folder + "." + t.name }

// suffix ends the names of files with live tests, and prefix begins those of the tests.
const (
	suffix = "_live_test.go"
	prefix = "TestLive"
)

// find lists the live tests of the tree, sorted by folder and in the order of the files.
func find(root string) ([]test, error) {
	var out []test
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && file != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "unpark-runs") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, suffix) {
			return nil
		}
		names, err := functions(path.Join(root, file))
		for _, name := range names {
			out = append(out, test{path.Dir(file), name})
		}
		return err
	})
	slices.SortStableFunc(out, func(a, b test) int { return strings.Compare(a.folder, b.folder) })
	return out, err
}

// functions lists the live tests of one file.
func functions(file string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("find live tests: %w", err)
	}
	var out []string
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, prefix) {
			out = append(out, fn.Name.Name)
		}
	}
	return out, nil
}
