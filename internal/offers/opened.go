package offers

import (
	"go/ast"
	"go/types"
	"maps"
	"regexp"
	"slices"

	"github.com/unpark-go/unpark"
)

var (
	// opens are the functions of package os that open a file to write to it.
	opens = words("OpenFile Create")
	// writers are the types of what is written to.
	writers = regexp.MustCompile(`\bio\.Write(r|Closer)\b`)
)

// opened is the functions by which a package takes a writer, where one on a finding's way opens a file for what it writes and closes it again, each
// time: what stays open needs neither, and may have a buffer.
func (r *Reader) opened(f unpark.Finding, stack []unpark.Site) []found {
	opening := func(s unpark.Site) bool {
		return unpark.PackageOf(s.Function) == "os" && slices.Contains(opens, local(s.Function))
	}
	seen := slices.ContainsFunc(f.Into, func(part unpark.Part) bool { return opening(part.Site) })
	if f.Culprit != nil { // of a lock it runs while that is held, and no waiter's stack has it
		stack = append(slices.Clip(stack), *f.Culprit)
	}
	for _, s := range stack {
		seen = seen || opening(s)
		p := r.of(s)
		if p == nil || !seen {
			continue
		}
		d := p.funcs[local(s.Function)]
		if d == nil || d.Body == nil || !opensAndCloses(d) {
			continue
		}
		var out []found
		for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
			other := p.funcs[name]
			if !other.Name.IsExported() || !setters.MatchString(other.Name.Name) || deprecated(other.Doc) || other.Recv != nil && !ast.IsExported(receiver(other)) {
				continue
			}
			if doc, ok := takesWriter(other); ok {
				out = append(out, found{setting: setting{name: name, kind: "func", doc: doc, pkg: p}, at: s.Function, by: nameOf(d), score: 1})
			}
		}
		return out
	}
	return nil
}

// opensAndCloses reports whether a function opens a file and closes one.
func opensAndCloses(d *ast.FuncDecl) bool {
	var opened, closed bool
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				of, _ := sel.X.(*ast.Ident)
				opened = opened || of != nil && of.Name == "os" && slices.Contains(opens, sel.Sel.Name)
				closed = closed || sel.Sel.Name == "Close"
			}
		}
		return true
	})
	return opened && closed
}

// takesWriter reports whether a function has a parameter for a writer, or one of any type that by its documentation may be one, and what it says of that.
func takesWriter(d *ast.FuncDecl) (doc string, ok bool) {
	for _, f := range d.Type.Params.List {
		if writers.MatchString(types.ExprString(f.Type)) {
			return firstOf(d.Doc), true
		}
		if !anyType(f.Type) {
			continue
		}
		for _, s := range sentences(d.Doc.Text()) {
			if writers.MatchString(s) {
				return shortened(s), true
			}
		}
	}
	return "", false
}
