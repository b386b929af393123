package offers

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

var (
	// shareable are sentences that say that many goroutines may use one thing at the same time.
	shareable = regexp.MustCompile(`(?i)\b((concurrent(ly)?|multiple|many|several) (use|usage|access|goroutines|threads|callers)|used concurrently|(goroutine|thread|concurrency)[- ]safe|safe (for|to be|to) .*concurren\w*)`)
	// unshareable are those that say that they may not.
	unshareable = regexp.MustCompile(`(?i)\b(not|n't|never|unsafe|isn't|neither|cannot|only safe|unless)\b`)
	// lasting are sentences that say that one is made and kept; that something may be used again in a call, or that
	// it has a cache, is no word of that.
	lasting = regexp.MustCompile(`(?i)\b(re-?us(e|ed|able)|singleton|(made|created|create|creating|compiled|compile|initiali[sz]ed|called|constructed|opened) (only |just |one |it )?once|long[- ]lived|expensive)\b`)
	// general are makers of what is not of one request alone; what is parsed and loaded may be that request's.
	general = regexp.MustCompile(`^(New|Open|Dial|Compile|MustCompile|MustNew|Connect)`)
	// readied are the methods by which a used thing is as a new one.
	readied = words("Reset Clear")
)

// keeping is what a function makes that its documentation says to keep, for one or for all goroutines. Where
// it says neither there is no such advice: what is made may hold what it was given.
func (p *source) keeping(function string, class unpark.Class) (found, bool) {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || d.Recv != nil || !maker.MatchString(d.Name.Name) || deprecated(d.Doc) {
		return found{}, false
	}
	of := makes(d)
	if !ast.IsExported(of) || !p.made(of) && !p.asks(of) {
		return found{}, false
	}
	out := found{setting: setting{name: d.Name.Name, kind: of, pkg: p}, at: function, score: 1}
	shared, last, own := "", "", false
	for _, s := range slices.Concat(sentences(p.docs[of]), sentences(d.Doc.Text())) {
		switch {
		case shareable.MatchString(s) && unshareable.MatchString(s):
			own = true
		case shareable.MatchString(s):
			shared = s
		case lasting.MatchString(s) && !unshareable.MatchString(s):
			last = s
		}
	}
	switch {
	case own:
	case last != "" && (shared != "" || p.locks(of)), shared != "" && general.MatchString(d.Name.Name):
		out.on, out.doc = true, shortened(last)
		if last == "" {
			out.doc = shortened(shared)
		}
		return out, true
	}
	if waits(class) { // what each worker opens is waited for as often
		return found{}, false
	}
	for _, name := range readied {
		if m := p.funcs[of+"."+name]; m != nil && !deprecated(m.Doc) {
			out.calls, out.doc = name, firstOf(m.Doc)
			return out, true
		}
	}
	return found{}, false
}

// asks reports whether a type is an interface by which work is done.
func (p *source) asks(name string) bool {
	return p.interfaces[name] != nil && len(p.interfaces[name].Methods.List) > 0
}

// locks reports whether a type has a lock or a pool of its own: it was written for many goroutines.
func (p *source) locks(name string) bool {
	t := p.structs[name]
	return t != nil && slices.ContainsFunc(t.Fields.List, func(f *ast.Field) bool {
		from, _, ok := strings.Cut(typeOf(f.Type), ".")
		return ok && (from == "sync" || from == "atomic")
	})
}

// handedBack are the names of parameters for what an earlier call gave.
var handedBack = words("reuse prev previous dst into buf buffer scratch")

// handed is the parameter of a function for what an earlier call of it gave, in which it then puts the next.
func (p *source) handed(function string) (found, bool) {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || deprecated(d.Doc) || d.Type.Results == nil {
		return found{}, false
	}
	for _, f := range d.Type.Params.List {
		kind := types.ExprString(f.Type)
		gives := slices.ContainsFunc(d.Type.Results.List, func(r *ast.Field) bool { return types.ExprString(r.Type) == kind })
		refers := strings.HasPrefix(kind, "*") || strings.HasPrefix(kind, "[]")
		for _, id := range f.Names {
			if gives && refers && slices.Contains(handedBack, strings.ToLower(id.Name)) {
				return found{setting: setting{name: local(function), kind: kind, doc: saysOf(d, id.Name), pkg: p}, at: function, calls: id.Name, score: 1}, true
			}
		}
	}
	return found{}, false
}

// saysOf is the sentence of a function's documentation that names a parameter, or its first.
func saysOf(d *ast.FuncDecl, param string) string {
	for _, s := range sentences(d.Doc.Text()) {
		if named(s, param) {
			return shortened(s)
		}
	}
	return firstOf(d.Doc)
}
