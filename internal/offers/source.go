package offers

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/unpark-go/unpark"
)

// Bounds of what is read, so that a generated package of thousands of files takes neither time nor memory.
const (
	maxFiles    = 400     // of one package
	maxFile     = 1 << 20 // bytes; generated tables are larger, and have no settings
	maxSource   = 6 << 20 // bytes of one package
	maxPackages = 24      // of one run
)

// Reader reads packages, each once.
type Reader struct {
	cache    string // the module cache
	packages map[string]*source
	own      applications
}

// New returns a reader of the modules on this machine, and of the user's own source as far as it was not changed since a time: what ran then was not
// built from that.
func New(built time.Time) *Reader {
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		cache = filepath.Join(filepath.SplitList(build.Default.GOPATH + string(filepath.ListSeparator))[0], "pkg", "mod")
	}
	own := applicationsIn(".")
	own.asOf = built
	return &Reader{cache: cache, packages: map[string]*source{}, own: own}
}

// source is one parsed package of a module.
type source struct {
	path       string // import path
	name       string // as its package clause says
	version    string // of its module
	root       *source
	doc        string            // of the package
	readme     string            // of the module, in its root alone
	docs       map[string]string // of types
	structs    map[string]*ast.StructType
	interfaces map[string]*ast.InterfaceType
	vars       map[string]variable
	named      map[string]string                 // the basic types of named ones
	functional map[string]bool                   // the named types of functions
	values     map[string]int                    // how many constants there are of a type
	funcs      map[string]*ast.FuncDecl          // "T.M" and "F"
	methods    map[string][]*ast.FuncDecl        // by their names alone
	set        map[string][]setting              // what users may set, by the name with which the code reads it
	filled     map[string][]setting              // of these what has neither a size nor a mode: names, places, what does a part of the work
	chans      map[string][]made                 // the sizes that channels are made with
	from       map[string][]string               // the fields that a field is filled from
	fset       *token.FileSet                    // nil where lines are not known
	users      []*source                         // the packages of its module that use one which is internal
	placings   map[string][]placing              // the functions that are put into fields
	optional   map[string]bool                   // the types of which constructors take any number
	ran        map[*ast.FuncDecl]map[string]bool // what a function comes to
	readBys    map[string][]*ast.FuncDecl        // the functions that read a name
	taken      map[string]bool                   // the types that constructors take or make
}

type variable struct {
	kind, doc string
}

// of returns the package of a function by the file that it is in; nil where that is not of a
// module, or is not on this machine.
func (r *Reader) of(s unpark.Site) *source {
	module, version, below, ok := s.Module()
	if !ok {
		return nil
	}
	folder := filepath.Dir(s.File)
	if _, err := os.Stat(folder); !filepath.IsAbs(s.File) || err != nil {
		folder = filepath.Join(r.cache, filepath.FromSlash(escaped(module)+"@"+version), filepath.FromSlash(path.Dir(below)))
	}
	at := r.parse(folder, path.Join(module, path.Dir(below)), version)
	if at != nil && path.Dir(below) != "." && at.root == nil {
		root := strings.TrimSuffix(folder, filepath.FromSlash("/"+path.Dir(below)))
		at.root = r.parse(root, module, version)
		if at.internal() && at.users == nil {
			at.users = r.usersOf(at, root, module)
		}
	}
	return at
}

// escaped writes capitals as the module cache does (golang.org/x/mod/module.EscapePath).
func escaped(p string) string {
	var out strings.Builder
	for _, c := range p {
		if unicode.IsUpper(c) {
			out.WriteByte('!')
			c = unicode.ToLower(c)
		}
		out.WriteRune(c)
	}
	return out.String()
}

// parse reads a folder; nil where it has no Go source.
func (r *Reader) parse(folder, importPath, version string) *source {
	if p, seen := r.packages[folder]; seen {
		return p
	}
	if len(r.packages) == maxPackages {
		return nil
	}
	p := &source{
		path: importPath, version: version, structs: map[string]*ast.StructType{}, interfaces: map[string]*ast.InterfaceType{}, docs: map[string]string{},
		vars: map[string]variable{}, funcs: map[string]*ast.FuncDecl{}, named: map[string]string{}, functional: map[string]bool{}, values: map[string]int{}, fset: token.NewFileSet(),
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.go")) // the only error is of the pattern
	read, size := 0, int64(0)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".pb.go") || forTests.MatchString(filepath.Base(name)) || read == maxFiles || size > maxSource {
			continue
		}
		fileSize, ok := sourceFile(name)
		if built, err := build.Default.MatchFile(folder, filepath.Base(name)); !ok || err == nil && !built {
			continue // what another system has in its place reads other settings
		}
		f, err := parser.ParseFile(p.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // of another Go version: the others are used
		}
		if tests(f) {
			continue
		}
		read, size = read+1, size+fileSize
		p.add(f)
	}
	p.index()
	p.readme = readme(folder)
	if read == 0 {
		p = nil
	}
	r.packages[folder] = p
	return p
}

// index keeps methods by their names alone.
func (p *source) index() {
	p.methods = map[string][]*ast.FuncDecl{}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		if _, method, ok := strings.Cut(name, "."); ok {
			p.methods[method] = append(p.methods[method], p.funcs[name])
		}
	}
}

// sourceFile reports whether a file is one of source, and its size.
func sourceFile(name string) (size int64, ok bool) {
	i, err := os.Stat(name)
	if err != nil || !i.Mode().IsRegular() || i.Size() > maxFile {
		return 0, false
	}
	return i.Size(), true
}

// add keeps what one file declares.
func (p *source) add(f *ast.File) {
	p.name = f.Name.Name
	p.doc = cmp.Or(p.doc, f.Doc.Text())
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if !standIns.MatchString(d.Name.Name) && !standIns.MatchString(receiver(d)) {
				p.funcs[nameOf(d)] = d
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				p.declare(d, spec)
			}
		}
	}
}

func (p *source) declare(d *ast.GenDecl, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if standIns.MatchString(s.Name.Name) {
			return
		}
		p.docs[s.Name.Name] = cmp.Or(s.Doc.Text(), d.Doc.Text())
		switch t := s.Type.(type) {
		case *ast.StructType:
			p.structs[s.Name.Name] = t
		case *ast.InterfaceType:
			p.interfaces[s.Name.Name] = t
		case *ast.FuncType:
			p.functional[s.Name.Name] = true
		case *ast.Ident:
			p.named[s.Name.Name] = t.Name
		}
	case *ast.ValueSpec:
		if d.Tok != token.VAR {
			constants(p, d, s)
			return
		}
		for i, name := range s.Names {
			kind := typeOf(s.Type)
			if kind == "" && i < len(s.Values) {
				kind = kindOf(s.Values[i])
			}
			p.vars[name.Name] = variable{kind, firstOf(s.Doc, d.Doc, s.Comment)}
			if t := unnamed(s, i); t != nil {
				p.structs[name.Name] = t // var Opts = struct{ … }: its fields are set as those of a type are
			}
		}
	}
}

// unnamed is the struct type that a variable alone has; nil where its type has a name, or is another.
func unnamed(s *ast.ValueSpec, i int) *ast.StructType {
	t := s.Type
	if t == nil && i < len(s.Values) {
		v := s.Values[i]
		if at, ok := v.(*ast.UnaryExpr); ok {
			v = at.X
		}
		if made, ok := v.(*ast.CompositeLit); ok {
			t = made.Type
		}
	}
	out, _ := t.(*ast.StructType)
	return out
}

// nameOf names a function by its receiver's type and itself.
func nameOf(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	return receiver(d) + "." + d.Name.Name
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch at := t.(type) {
		case *ast.StarExpr:
			t = at.X
		case *ast.IndexExpr:
			t = at.X
		case *ast.IndexListExpr:
			t = at.X
		case *ast.Ident:
			return at.Name
		default:
			return ""
		}
	}
}
