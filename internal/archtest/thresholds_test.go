package archtest

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "write docs/thresholds.md")

// The thresholds of a package stand in its file of this name, and in thresholds_*.go where
// one file is too long: constants, and functions of one return statement for tables. Each has a comment that ends in its unit, its
// source and, where there is one, the test that fails when it is moved:
//
//	// least is the shortest delay that can be measured: five readings of the clock.
//	// Unit: s. Source: time.Now, 40 ns each. Test: TestDoses.
//	least = 200e-9
//
// A source is a paper, a file of Go, a section of the design, a measurement that can be
// repeated, or the word convention. A test is of the same package, or "folder.Test…".
const thresholdsFile = "thresholds.go"

// thresholdsPage is made of them.
const thresholdsPage = "docs/thresholds.md"

var thresholdComment = regexp.MustCompile(`^(.+?) Unit: (.+?)\. Source: (.+?)\.(?: Test: ([\w/., ]+)\.)?$`)

// threshold is one row of the table.
type threshold struct{ name, value, unit, why, source, test string }

func TestThresholds(t *testing.T) {
	root := os.DirFS("../..")
	page, errs := thresholds(root)
	for _, err := range errs {
		t.Error(err)
	}
	if *update {
		if err := os.WriteFile("../../"+thresholdsPage, page, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	is, err := fs.ReadFile(root, thresholdsPage)
	if err != nil || !bytes.Equal(is, page) {
		t.Errorf("%s is not what the sources say (%v): go test ./internal/archtest -run TestThresholds -update", thresholdsPage, err)
	}
}

// thresholds makes the page of a tree, and says what is wrong in its files.
func thresholds(tree fs.FS) (page []byte, errs []error) {
	var out bytes.Buffer
	out.WriteString("# Thresholds\n\nThe numbers that decide, package by package, with the reason and the test that fails when one is moved.\n" +
		"`go test ./internal/archtest -run TestThresholds -update` makes this page of the files named `" + thresholdsFile + "` and `thresholds_*.go`: edit those.\n")
	err := fs.WalkDir(tree, ".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if skipped(dir) {
			return fs.SkipDir
		}
		if _, err := fs.Stat(tree, path.Join(dir, thresholdsFile)); err != nil {
			return nil
		}
		p := thresholdPackage{tree: tree, dir: dir}
		rows := p.read()
		errs = append(errs, p.errs...)
		fmt.Fprintf(&out, "\n## %s\n\n| name | value | unit | why | source | test |\n|---|---|---|---|---|---|\n", dir)
		for _, r := range rows {
			fmt.Fprintf(&out, "| `%s` | `%s` | %s | %s | %s | %s |\n", r.name, cell(r.value), cell(r.unit), cell(r.why), cell(r.source), cell(r.test))
		}
		return nil
	})
	if err != nil {
		errs = append(errs, err)
	}
	return out.Bytes(), errs
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// thresholdPackage is one folder with a file of thresholds.
type thresholdPackage struct {
	tree fs.FS
	dir  string
	errs []error
}

func (p *thresholdPackage) fail(set *token.FileSet, n ast.Node, format string, a ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s: %s", set.Position(n.Pos()), fmt.Sprintf(format, a...)))
}

// ofThresholds reports whether a file is one of thresholds.
func ofThresholds(name string) bool {
	return name == thresholdsFile || strings.HasPrefix(name, strings.TrimSuffix(thresholdsFile, ".go")+"_")
}

// read returns the rows of the files, and checks the others of the package.
func (p *thresholdPackage) read() (rows []threshold) {
	entries, err := fs.ReadDir(p.tree, p.dir)
	if err != nil {
		p.errs = append(p.errs, err)
	}
	for _, e := range entries {
		name := path.Join(p.dir, e.Name())
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(p.tree, name)
		set := token.NewFileSet()
		file, failed := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		switch err := errors.Join(err, failed); {
		case err != nil:
			p.errs = append(p.errs, err)
		case ofThresholds(e.Name()):
			rows = append(rows, p.rows(set, file)...)
		default:
			p.others(set, file)
		}
	}
	return rows
}

// rows reads the constants and tables of a file of thresholds.
func (p *thresholdPackage) rows(set *token.FileSet, file *ast.File) (rows []threshold) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, s := range d.Specs {
				v, ok := s.(*ast.ValueSpec)
				switch {
				case !ok: // an import
				case d.Tok != token.CONST || len(v.Names) != 1 || len(v.Values) != 1:
					p.fail(set, v, "one constant with one value to a line")
				case v.Doc == nil && !d.Lparen.IsValid():
					rows = append(rows, p.row(set, v, v.Names[0].Name, d.Doc, v.Values[0]))
				default:
					rows = append(rows, p.row(set, v, v.Names[0].Name, v.Doc, v.Values[0]))
				}
			}
		case *ast.FuncDecl:
			if value := returned(d); value != nil {
				rows = append(rows, p.row(set, d, d.Name.Name, d.Doc, value))
			} else {
				p.fail(set, d, "%s is not a table: a function of one return statement", d.Name.Name)
			}
		}
	}
	return rows
}

// returned is the value of a function that does nothing but return one.
func returned(d *ast.FuncDecl) ast.Expr {
	if len(d.Body.List) != 1 || d.Type.Params.NumFields() > 0 {
		return nil
	}
	if r, ok := d.Body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 {
		return r.Results[0]
	}
	return nil
}

func (p *thresholdPackage) row(set *token.FileSet, at ast.Node, name string, doc *ast.CommentGroup, value ast.Expr) threshold {
	text := strings.Join(strings.Fields(doc.Text()), " ")
	m := thresholdComment.FindStringSubmatch(text)
	if m == nil {
		p.fail(set, at, "the comment of %s does not end in \"Unit: …. Source: …. Test: ….\" (the test may be left out): %q", name, text)
		return threshold{name: name}
	}
	for _, test := range strings.Split(m[4], ", ") {
		if test != "" && !p.tested(test) {
			p.fail(set, at, "%s: there is no test %s", name, test)
		}
	}
	var out strings.Builder
	if table, ok := value.(*ast.CompositeLit); ok {
		value = &ast.CompositeLit{Elts: table.Elts}
	}
	_ = printer.Fprint(&out, token.NewFileSet(), value) // to memory
	return threshold{name, strings.Join(strings.Fields(out.String()), " "), m[2], strings.TrimPrefix(m[1], name+" is "), m[3], cmp.Or(m[4], "none")}
}

// tested reports whether there is a test of a name, in the package or in a folder.
func (p *thresholdPackage) tested(test string) bool {
	dir := p.dir
	if i := strings.LastIndexByte(test, '.'); i >= 0 {
		dir, test = test[:i], test[i+1:]
	}
	entries, _ := fs.ReadDir(p.tree, dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			text, _ := fs.ReadFile(p.tree, path.Join(dir, e.Name()))
			if bytes.Contains(text, []byte("\nfunc "+test+"(t *testing.T) {")) {
				return true
			}
		}
	}
	return false
}

// others finds thresholds outside of their file: constants that are numbers, and
// numbers that something is compared with.
func (p *thresholdPackage) others(set *token.FileSet, file *ast.File) {
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.CONST {
			for _, s := range d.Specs {
				if v := s.(*ast.ValueSpec); len(v.Values) > 0 && number(v.Values[0]) {
					p.fail(set, v, "%s is a number: its place is %s", v.Names[0].Name, thresholdsFile)
				}
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LSS || b.Op == token.GTR || b.Op == token.LEQ || b.Op == token.GEQ) {
			for _, side := range []ast.Expr{b.X, b.Y} {
				if large(side) {
					p.fail(set, side, "a number that decides has a name, in %s", thresholdsFile)
				}
			}
		}
		return true
	})
}

// number reports whether a constant is made of numbers alone.
func number(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.INT || e.Kind == token.FLOAT
	case *ast.UnaryExpr:
		return number(e.X)
	case *ast.BinaryExpr:
		return number(e.X) || number(e.Y)
	}
	return false
}

// large reports whether a literal is a threshold. One digit is a count of what there is,
// and a power of ten is a unit.
func large(e ast.Expr) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && (l.Kind == token.FLOAT || l.Kind == token.INT && len(l.Value) > 1 && strings.Trim(l.Value[1:], "0") != "")
}

// What is wrong is found.
func TestThresholdsAreChecked(t *testing.T) {
	const good = "package a\n\nconst (\n\t// least is a | b.\n\t//\n\t// Unit: s. Source: convention. Test: TestA.\n\tleast = 2 * 1e-3\n)\n\n" +
		"// all are all. Unit: ratio. Source: Gunther, 2007.\nfunc all() []float64 { return []float64{1, 2.5} }\n"
	tree := func(thresholds, other string) fstest.MapFS {
		return tree(map[string]string{
			"a/thresholds.go": thresholds, "a/a.go": other, "a/a_test.go": "package a\n\nfunc TestA(t *testing.T) {}\n", "b/b.go": "package b\n\nconst b = 3\n",
		})
	}
	const want = "## a\n\n| name | value | unit | why | source | test |\n|---|---|---|---|---|---|\n" +
		"| `least` | `2 * 1e-3` | s | a \\| b. | convention | TestA |\n| `all` | `{1, 2.5}` | ratio | all are all. | Gunther, 2007 | none |\n"
	const more = "package a\n\n// most is the most. Unit: s. Source: convention.\nconst most = 3\n"
	both := tree(good, "package a\n\nconst name = \"x\"\n")
	both["a/thresholds_more.go"] = &fstest.MapFile{Data: []byte(more)}
	page, errs := thresholds(both)
	if wanted := want + "| `most` | `3` | s | the most. | convention | none |\n"; len(errs) > 0 || !strings.HasSuffix(string(page), wanted) {
		t.Errorf("%v\n%s", errs, page)
	}
	page, errs = thresholds(tree(good, "package a\n\nconst name = \"x\"\n\nfunc f(n int) bool { return n > 3 || n < 100 }\n"))
	if len(errs) > 0 || !strings.HasSuffix(string(page), want) {
		t.Errorf("%v\n%s", errs, page)
	}
	for _, c := range []struct{ thresholds, other, want string }{
		{"package a\n\nconst least = 2\n", "package a\n", "a/thresholds.go:3:7: the comment of least does not end in"},
		{strings.Replace(good, "TestA", "TestB", 1), "package a\n", "least: there is no test TestB"},
		{strings.Replace(good, "TestA", "b.TestA", 1), "package a\n", "least: there is no test b.TestA"},
		{strings.Replace(good, "Source: convention. ", "", 1), "package a\n", "the comment of least"},
		{"package a\n\nvar x = 2\n", "package a\n", "one constant with one value"},
		{"package a\n\nfunc x() { f(); g() }\n", "package a\n", "x is not a table"},
		{good, "package a\n\nconst most = -7\n", "a/a.go:3:7: most is a number"},
		{good, "package a\n\nfunc f(x float64) bool { return x < 0.5 }\n", "a/a.go:3:37: a number that decides"},
		{good, "package a\n\nfunc f(x int) bool { return 12 <= x }\n", "a number that decides"},
		{good, "pakcage a\n", "expected 'package'"},
	} {
		if _, errs := thresholds(tree(c.thresholds, c.other)); len(errs) != 1 || !strings.Contains(errs[0].Error(), c.want) {
			t.Errorf("got %v, want %s", errs, c.want)
		}
	}
}
