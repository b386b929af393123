package slowdown

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// Spot is where a delay is wanted: in the critical section that Site ends, begins or
// lies in (Lock), or at the beginning of Site's function.
type Spot struct {
	Site unpark.Site
	Lock bool
}

// Inserted is a source with the call in it.
type Inserted struct {
	Text    []byte
	Package string // of the file
	Line    int    // of the call, the first of several
	Where   string // in words
}

// Insert puts a call of the function named call into a source at the spot. No line
// changes its number: the call stands on a line that is there. The error says why
// there is no place for it.
func (at Spot) Insert(src []byte, call string) (Inserted, error) {
	f, err := read(src, at.Site.File)
	if err != nil {
		return Inserted{}, err
	}
	body, err := f.body(at.Site)
	if err != nil {
		return Inserted{}, err
	}
	out := Inserted{Package: f.ast.Name.Name}
	var edits []edit
	if at.Lock {
		edits, out.Where, err = f.section(body, at.Site.Line, call)
	} else {
		edits, out.Where = f.beginning(body, at.Site.Line, call)
	}
	if err != nil {
		return Inserted{}, err
	}
	out.Line = 1 + bytes.Count(src[:edits[0].at], []byte("\n"))
	out.Text = apply(src, edits)
	return out, nil
}

// beginning is where a function begins with the work of a line: its first statement,
// or, for work that is done with a lock held, the one behind Lock. Before it, a delay
// would make no other request wait.
func (f file) beginning(body *ast.BlockStmt, line int, call string) ([]edit, string) {
	var last locking
	for _, l := range f.lockings(body) {
		left := l.until > 0 && l.until < line
		if !l.later && !left && f.line(l.stmt.End()) < line {
			last = l
		}
	}
	if last.takes {
		return []edit{{f.offset(last.stmt.End()), ";" + call + "()"}}, "inside the critical section, behind Lock"
	}
	return []edit{{f.offset(body.Lbrace) + 1, call + "();"}}, "at the beginning of the function"
}

// edit is a text that is put in at an offset.
type edit struct {
	at   int
	text string
}

func apply(src []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.at - b.at })
	var b bytes.Buffer
	from := 0
	for _, e := range edits {
		b.Write(src[from:e.at])
		b.WriteString(e.text)
		from = e.at
	}
	b.Write(src[from:])
	return b.Bytes()
}

// file is a parsed source.
type file struct {
	name string
	set  *token.FileSet
	ast  *ast.File
}

// read parses a source and refuses what a profile's lines, or a call, do not fit.
func read(src []byte, name string) (file, error) {
	f := file{name: path.Base(strings.ReplaceAll(name, `\`, "/")), set: token.NewFileSet()}
	if !strings.HasSuffix(f.name, ".go") {
		return f, fmt.Errorf("%s is not a Go source", f.name)
	}
	var err error
	f.ast, err = parser.ParseFile(f.set, f.name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return f, fmt.Errorf("%s does not parse (%w): was it changed since it was built?", f.name, err)
	}
	for _, i := range f.ast.Imports {
		if i.Path.Value == `"C"` {
			return f, fmt.Errorf("%s uses cgo, whose sources the go command writes anew", f.name)
		}
	}
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return f, fmt.Errorf("%s was generated from another file (a line directive), so the profile's lines are not its own", f.name)
			}
		}
	}
	return f, nil
}

func (f file) offset(p token.Pos) int { return f.set.PositionFor(p, false).Offset }
func (f file) line(p token.Pos) int   { return f.set.PositionFor(p, false).Line }

// spans reports whether a node covers a line.
func (f file) spans(n ast.Node, line int) bool {
	return f.line(n.Pos()) <= line && line <= f.line(n.End())
}

// body finds the body of the function that a site names.
func (f file) body(s unpark.Site) (*ast.BlockStmt, error) {
	sym := parseSymbol(s.Function)
	gone := fmt.Errorf("%s has no %s at line %d: was it changed since it was built?", f.name, s.Function, s.Line)
	for _, d := range f.ast.Decls {
		if !f.spans(d, s.Line) {
			continue
		}
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case !ok && sym.literal: // of a package variable
			if lit := f.literal(d, s.Line); lit != nil {
				return lit.Body, nil
			}
			continue
		case !ok || !sym.of(fn):
			continue
		case fn.Body == nil:
			return nil, fmt.Errorf("%s is written in assembly", s.Function)
		}
		if pragma := forbids(fn); pragma != "" {
			return nil, fmt.Errorf("%s is marked %s, so it may not call what spins", s.Function, pragma)
		}
		if !sym.literal {
			return fn.Body, nil
		}
		if lit := f.literal(fn, s.Line); lit != nil {
			return lit.Body, nil
		}
	}
	return nil, gone
}

// literal returns the innermost function literal that covers a line.
func (f file) literal(within ast.Node, line int) (found *ast.FuncLit) {
	ast.Inspect(within, func(n ast.Node) bool {
		if n == nil || !f.spans(n, line) {
			return n != nil && n == within
		}
		if lit, ok := n.(*ast.FuncLit); ok {
			found = lit
		}
		return true
	})
	return found
}

// forbids returns the directive that keeps a function from calling others.
func forbids(d *ast.FuncDecl) string {
	if d.Doc == nil {
		return ""
	}
	for _, c := range d.Doc.List {
		for _, pragma := range []string{"//go:nosplit", "//go:systemstack"} {
			if strings.HasPrefix(c.Text, pragma) {
				return pragma
			}
		}
	}
	return ""
}

var errNoSection = errors.New("neither the Lock nor the Unlock of the critical section is a statement of this function")
