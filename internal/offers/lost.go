package offers

import (
	"go/ast"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// lost is what is made where it is of a type on a stack that keeps something between calls.
func lost(r *Reader, m making, stack []unpark.Site) (found, bool) {
	p := packageOn(r, m.pkg, stack)
	if p == nil {
		return found{}, false
	}
	of, doc := m.name, p.docs[m.name]
	if !m.literal {
		d := p.funcs[m.name]
		if d == nil || deprecated(d.Doc) || slices.ContainsFunc(params(d), func(kind string) bool {
			return passing.MatchString(kind) || answering.MatchString(kind)
		}) {
			return found{}, false
		}
		of = makes(d)
		doc = p.docs[of] + "\n\n" + d.Doc.Text()
	}
	parts := consists(p, of)
	if ofOneRequest.MatchString(of) || joins(p, of) {
		return found{}, false
	}
	shared := false
	for t := range parts {
		shared = shared || hasLock(p, t)
	}
	shared = shared || !m.literal && connects(p.funcs[m.name])
	says := ""
	for _, s := range sentences(doc) {
		switch {
		case shareable.MatchString(s) && unshareable.MatchString(s):
			return found{}, false
		case says == "" && (shareable.MatchString(s) || lasting.MatchString(s) && !unshareable.MatchString(s)):
			says = shortened(s)
		}
	}
	return found{setting: setting{name: m.name, kind: of, doc: says, pkg: p}, on: m.literal, score: 1}, shared && (says != "" || p.version != "") && onStack(m.pkg, parts, stack)
}

// connects reports whether a constructor makes a transport of its own, which keeps connections.
func connects(d *ast.FuncDecl) bool {
	out := false
	ast.Inspect(d, func(n ast.Node) bool {
		if lit, is := n.(*ast.CompositeLit); is {
			_, name, other := qualified(lit.Type)
			out = out || other && name == "Transport"
		}
		return !out
	})
	return out
}

// ofOneRequest are the names of types of which one is made for each thing that is asked, said or written.
var ofOneRequest = regexp.MustCompile(`(Request|Response|Message|Msg|Mail|Email|Event|Document|File|Session|Tx|Txn|Transaction|Query|Command|Cmd|Batch|Statement|Stmt|Call|Stream|Context|Builder|Buffer|Writer|Reader|Encoder|Decoder|Group|Span|Token|Error|Conn)$`)

// joins reports whether a type waits for what was started with it.
func joins(p *source, of string) bool {
	d := p.funcs[of+".Wait"]
	return d != nil && len(d.Type.Params.List) == 0
}

var (
	// lockType are the types by which goroutines have something in common.
	lockType = regexp.MustCompile(`^sync\.(Mutex|RWMutex|Map|Pool)$`)
	// answering are the types of what one request is answered by.
	answering = regexp.MustCompile(`^(net\.Conn|http\.ResponseWriter)$`)
)

// hasLock reports whether a type was written for many goroutines that have something in common: it has a lock, or what has one.
func hasLock(p *source, of string) bool {
	t := p.structs[of]
	return t != nil && slices.ContainsFunc(t.Fields.List, func(f *ast.Field) bool {
		return lockType.MatchString(typeOf(f.Type))
	})
}

// packageOn is the package of an import path, where a function of it is on a stack: of a module, or Go's own.
func packageOn(r *Reader, importPath string, stack []unpark.Site) *source {
	for _, s := range stack {
		if unpark.PackageOf(s.Function) != importPath {
			continue
		}
		if p := r.of(s); p != nil {
			return p
		}
		if roles.Is(s.Function, roles.Standard) && filepath.IsAbs(s.File) {
			return r.parse(filepath.Dir(s.File), importPath, "")
		}
	}
	return nil
}

// onStack reports whether a method of one of some types of a package is on a stack.
func onStack(pkg string, types map[string]bool, stack []unpark.Site) bool {
	return slices.ContainsFunc(stack, func(s unpark.Site) bool {
		of, _, method := strings.Cut(local(s.Function), ".")
		return method && unpark.PackageOf(s.Function) == pkg && types[of]
	})
}

// consists is a type with those of its package that it has in its fields, and what these have.
func consists(p *source, of string) map[string]bool {
	out := map[string]bool{of: true}
	for more := []string{of}; len(more) > 0; more = more[1:] {
		t := p.structs[more[0]]
		if t == nil {
			continue
		}
		for _, f := range t.Fields.List {
			if kind := typeOf(f.Type); p.structs[kind] != nil && !out[kind] {
				out[kind], more = true, append(more, kind)
			}
		}
	}
	return out
}
