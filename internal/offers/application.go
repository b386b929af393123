package offers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// application is a package of the user's own.
type application struct {
	fset  *token.FileSet
	files []*ast.File
	funcs map[string][]*ast.FuncDecl // by their names alone
	chans map[string]bool            // the names of what is a channel; nil until that is asked
}

// applications are packages of the user's own, each read once.
type applications struct {
	module, root string    // the module that unpark was started in, and its folder; empty where that is none
	asOf         time.Time // what was changed after that is not what the program was built from; zero: nothing is known of that
	read         map[string]*application
}

// moduleLine is what a go.mod says that its module is called.
var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// applicationsIn finds the module of a folder.
func applicationsIn(folder string) applications {
	a := applications{read: map[string]*application{}}
	folder, err := filepath.Abs(folder)
	for err == nil {
		if text, err := os.ReadFile(filepath.Join(folder, "go.mod")); err == nil {
			if m := moduleLine.FindSubmatch(text); m != nil {
				a.module, a.root = string(m[1]), folder
			}
			break
		}
		above := filepath.Dir(folder)
		if above == folder {
			break
		}
		folder = above
	}
	return a
}

// file is where the source of a function of the user's own is on this machine; empty where it is not. A program that was built with
// -trimpath names its files by its module: that is looked for where unpark was started.
func (all applications) file(s unpark.Site) string {
	if _, _, _, module := s.Module(); module || s.Line == 0 || roles.Is(s.Function, roles.Standard) || roles.Is(s.Function, roles.Runtime) {
		return ""
	}
	file := s.File
	if below, ok := strings.CutPrefix(file, all.module+"/"); ok && all.module != "" {
		file = filepath.Join(all.root, filepath.FromSlash(below))
	}
	if i, err := os.Stat(file); err != nil || !filepath.IsAbs(file) || !all.asOf.IsZero() && i.ModTime().After(all.asOf) {
		return ""
	}
	return file
}

// at is the package and the innermost function around a line of the user's own, with the innermost loop around it in that: nil where the
// source is not here, or has another function there.
func (all applications) at(s unpark.Site) (a *application, function, loop ast.Node) {
	file := all.file(s)
	if file == "" {
		return nil, nil, nil
	}
	if a = all.of(file); a == nil {
		return nil, nil, nil
	}
	if function, loop = a.body(s, file); function == nil {
		return nil, nil, nil
	}
	return a, function, loop
}

// of reads the package of a file; nil where there is none.
func (all applications) of(file string) *application {
	folder := filepath.Dir(file)
	if a, seen := all.read[folder]; seen || len(all.read) == maxPackages {
		return a
	}
	a := &application{fset: token.NewFileSet(), funcs: map[string][]*ast.FuncDecl{}}
	names, _ := filepath.Glob(filepath.Join(folder, "*.go")) // the only error is of the pattern
	size := int64(0)
	for _, name := range names {
		n, ok := sourceFile(name)
		if size += n; !ok || strings.HasSuffix(name, "_test.go") || len(a.files) == maxFiles || size > maxSource {
			continue
		}
		f, err := parser.ParseFile(a.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		a.files = append(a.files, f)
		for _, d := range f.Decls {
			if d, is := d.(*ast.FuncDecl); is && d.Body != nil {
				a.funcs[d.Name.Name] = append(a.funcs[d.Name.Name], d)
			}
		}
	}
	if len(a.files) == 0 {
		a = nil
	}
	all.read[folder] = a
	return a
}

// body is the innermost function around a line, and the innermost loop around that within it; nil where there is none, or where that is part
// of another function than the one that the profile names.
func (a *application) body(s unpark.Site, file string) (function, loop ast.Node) {
	for _, f := range a.files {
		if a.fset.Position(f.Pos()).Filename != file {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || a.fset.Position(n.Pos()).Line > s.Line || a.fset.Position(n.End()).Line < s.Line {
				return n == f
			}
			switch n := n.(type) {
			case *ast.FuncDecl:
				if nameOf(n) != local(s.Function) {
					return false
				}
				function, loop = n, nil
			case *ast.FuncLit:
				function, loop = n, nil
			case *ast.ForStmt, *ast.RangeStmt:
				loop = n
			}
			return true
		})
	}
	return function, loop
}

// imported is the import path that a name stands for in a file.
func (a *application) imported(at token.Pos, name string) string {
	i := slices.IndexFunc(a.files, func(f *ast.File) bool { return f.FileStart <= at && at <= f.FileEnd })
	if i < 0 {
		return ""
	}
	for _, spec := range a.files[i].Imports {
		at, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if spec.Name != nil && spec.Name.Name == name || spec.Name == nil && calledAfter(at, name) {
			return at
		}
	}
	return ""
}

// calledAfter reports whether a package may have a name, by its import path: "github.com/nats-io/nats.go" is called nats, and
// "github.com/redis/go-redis/v9" redis.
func calledAfter(importPath, name string) bool {
	all := strings.Split(importPath, "/")
	last := all[len(all)-1]
	if len(all) > 1 && unpark.MajorVersion(last) {
		last = all[len(all)-2]
	}
	last, _, _ = strings.Cut(last, ".")
	return last == name || slices.Contains(strings.Split(last, "-"), name) || strings.ReplaceAll(last, "-", "") == name
}
