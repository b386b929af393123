package offers

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// caching are the words by which something says of itself that it keeps what it was given; a client of memcached is another thing.
var caching = regexp.MustCompile(`(?i)\bcach(e[sd]?|ing)\b`)

// firstLines is how much of a module's first page says what it is.
const firstLines = 1000 // bytes

// isCache reports whether a package says of itself that it keeps what it was given: by its name, its documentation, that of types, or in the
// first lines of its module.
func isCache(p *source, types ...string) bool {
	name := path.Base(p.path)
	if strings.Contains(name, "cache") && !strings.Contains(name, "memcache") {
		return true
	}
	root := p
	if p.root != nil {
		root = p.root
	}
	said := p.doc + root.readme[:min(len(root.readme), firstLines)]
	for _, t := range types {
		said += p.docs[t]
	}
	return caching.MatchString(said)
}

// drains are the functions by which what is left of a body is read.
var drains = words("Copy CopyN ReadAll Discard Read")

// ends is what a client does with an answer only when its body has been read to the end: a cache that fills by what is read has nothing where
// a decoder stops after its value, and asks again. It is a RoundTripper of a module on the stack that puts a reader of its own into the
// answer, whose Read does something at io.EOF that its Close does not come to.
func (r *Reader) ends(f unpark.Finding, stack []unpark.Site) []found {
	if !waits(f.Class) && f.Class != unpark.ClassRecompute {
		return nil
	}
	for _, s := range stack {
		p := r.of(s)
		if p == nil {
			continue
		}
		d := p.funcs[local(s.Function)]
		if d == nil || d.Body == nil || d.Name.Name != "RoundTrip" || !isCache(p, receiver(d)) {
			continue
		}
		for _, of := range bodies(p, d) {
			if does := atEnd(p, of); does != "" {
				return []found{{setting: setting{name: nameOf(d), kind: of, doc: firstSentence(p.docs[of]), pkg: p}, at: s.Function, by: nameOf(d), calls: does, score: 1}}
			}
		}
	}
	return nil
}

// bodies is the types of the package that a function makes for a field named Body.
func bodies(p *source, d *ast.FuncDecl) []string {
	var out []string
	put := func(to, value ast.Expr) {
		if lastName(to) != "Body" {
			return
		}
		if at, is := value.(*ast.UnaryExpr); is {
			value = at.X
		}
		of := ""
		switch v := value.(type) {
		case *ast.CompositeLit:
			of = typeOf(v.Type)
		case *ast.CallExpr:
			if maker := p.funcs[lastName(v.Fun)]; maker != nil {
				of = makes(maker)
			}
		}
		if p.structs[of] != nil && !slices.Contains(out, of) {
			out = append(out, of)
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if a, is := n.(*ast.AssignStmt); is && len(a.Lhs) == len(a.Rhs) {
			for i, to := range a.Lhs {
				put(to, a.Rhs[i])
			}
		}
		return true
	})
	return out
}

// atEnd is what the Read method of a type calls at io.EOF and its Close method does not; empty where there is no such thing.
func atEnd(p *source, of string) string {
	read := p.funcs[of+".Read"]
	if read == nil || read.Body == nil {
		return ""
	}
	closes := map[string]bool{}
	if d := p.funcs[of+".Close"]; d != nil {
		closes = p.runs(d)
	}
	if slices.ContainsFunc(drains, func(name string) bool { return closes[name] }) {
		return "" // it reads the rest itself
	}
	does := ""
	ast.Inspect(read.Body, func(n ast.Node) bool {
		if s, is := n.(*ast.IfStmt); is && mentions(s.Cond, "EOF") && does == "" {
			does = firstCall(s.Body, func(name string) bool { return !closes[name] })
		}
		return does == ""
	})
	return does
}

// mentions reports whether an expression has a name in it.
func mentions(e ast.Expr, name string) bool {
	is := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		is = is || ok && id.Name == name
		return !is
	})
	return is
}

// firstCall is the first method, or function that is exported or of a field, that a block calls.
func firstCall(b *ast.BlockStmt, fits func(name string) bool) string {
	out := ""
	ast.Inspect(b, func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is && out == "" {
			if sel, of := call.Fun.(*ast.SelectorExpr); of && fits(sel.Sel.Name) {
				out = sel.Sel.Name
			}
		}
		return out == ""
	})
	return out
}

// firstSentence is the first sentence of documentation.
func firstSentence(doc string) string {
	for _, s := range sentences(doc) {
		return shortened(strings.TrimSpace(s))
	}
	return ""
}
