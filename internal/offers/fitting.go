package offers

import (
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// gained is what a setting counts more that is said to be for speed.
const gained = 2

// fitting is the settings that go with a class of findings: what the functions of a stack come to, and of waits, and of
// what is kept of what they read, what the package has elsewhere.
func fitting(p *source, functions []string, way direction, f unpark.Finding) []found {
	class := f.Class
	reading := !waits(class) && slices.ContainsFunc(functions, func(f string) bool { return reads(local(f)) })
	var out []found
	allocated := allocates(p, functions, f)
	for _, s := range p.readBy(functions, way, spent(f)) {
		var whole bool
		s.score, whole = suits(class, s.setting)
		if carried(s.setting) || class == unpark.ClassLock && s.far > 0 && onlyTurns(s.setting) && anotherWay(p, p.funcs[s.by], s.read) {
			continue
		}
		if allocated[s.read] && s.far == 0 && !s.elsewhere() {
			s.score += capacity // it is the size of what is allocated
		}
		if s.gains && s.far < deepest && !s.elsewhere() {
			s.score += gained
		}
		if class == unpark.ClassDownstream && s.score > 0 && slices.ContainsFunc(s.words(), func(w string) bool { return slices.Contains(aheadOf, w) }) {
			s.score++ // how much is under way at once decides how long an answer takes that comes in parts
		}
		if s.turns && !s.gains || class == unpark.ClassDownstream && s.kind == "bool" && !s.gains && !whole {
			continue // what is turned decides where a call depends on it; and which answers are marked ends no wait for them
		}
		if s.sizes && waits(class) {
			s.score += capacity
			if of, _, ok := strings.Cut(s.by, "."); ok && strings.Contains(s.name, of) {
				s.score++ // of two that fill fields of one name that of this type
			}
		}
		elsewhere := waits(class) && (s.score > 1 || whole) && !(class == unpark.ClassDownstream && (idles(s.setting) || buffers(s.setting))) || reading && cache(s.setting)
		if s.score > 0 && (s.far < deepest || elsewhere && s.pkg.given(s.setting)) {
			out = append(out, s)
		}
	}
	return out
}

// carried reports whether a field is of what is sent, or handed to a function of the user's: by the tag that says its name in a message, or since a
// type of functions takes it. Users set neither before the work begins.
func carried(s setting) bool {
	of, field, ok := strings.Cut(s.name, ".")
	t := s.pkg.structs[of]
	if !ok || t == nil || s.pkg.given(s) {
		return false
	}
	for _, f := range t.Fields.List {
		if slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.Name == field }) && f.Tag != nil && tagged.MatchString(f.Tag.Value) {
			return true
		}
	}
	return answered(s.pkg, of)
}

// tagged is the tag of what is sent.
var tagged = regexp.MustCompile(`\b(json|url|xml|form|schema):`)

// answered reports whether the functions that users give to the package take a type, and none of its own does.
func answered(p *source, of string) bool {
	takes := func(list *ast.FieldList) bool {
		return list != nil && slices.ContainsFunc(list.List, func(f *ast.Field) bool { return typeOf(f.Type) == of })
	}
	for _, d := range p.funcs {
		if d.Name.IsExported() && takes(d.Type.Params) {
			return false
		}
	}
	for _, t := range p.structs {
		if slices.ContainsFunc(t.Fields.List, func(f *ast.Field) bool { of, is := f.Type.(*ast.FuncType); return is && takes(of.Params) }) {
			return true
		}
	}
	return false
}

// allocates is the names in the sizes of what the culprit of garbage makes: channels, slices and maps.
func allocates(p *source, functions []string, f unpark.Finding) map[string]bool {
	out := map[string]bool{}
	if f.Class != unpark.ClassAlloc && f.Class != unpark.ClassGC || f.Culprit == nil || !slices.Contains(functions, f.Culprit.Function) {
		return out
	}
	d := p.funcs[local(f.Culprit.Function)]
	if d == nil || d.Body == nil {
		return out
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && lastName(call.Fun) == "make" {
			for _, size := range call.Args[1:] {
				maps.Copy(out, namesIn(size))
			}
		}
		return true
	})
	return out
}

// spent says which calls of the functions on a finding's stack are a part of what is computed there: those of its culprit that take a good part of its
// cost. What the others on the way call besides is not where it is spent. Where requests wait, any of that may decide for how long.
func spent(f unpark.Finding) func(caller string, d *ast.FuncDecl) bool {
	if waits(f.Class) || f.Culprit == nil {
		return func(string, *ast.FuncDecl) bool { return true }
	}
	return func(caller string, d *ast.FuncDecl) bool {
		if slices.ContainsFunc(f.Into, func(p unpark.Part) bool { return p.Site.Function == caller }) {
			return true // of what it calls the parts are not known
		}
		part := func(p unpark.Part) bool { return local(p.Site.Function) == nameOf(d) }
		return caller == f.Culprit.Function && (len(f.Into) == 0 || slices.ContainsFunc(f.Into, part))
	}
}

// waits reports whether findings of a class are waits, whose sizes and times are few in a package;
// what computes has modes for everything.
func waits(c unpark.Class) bool {
	switch c {
	case unpark.ClassPool, unpark.ClassChannel, unpark.ClassRateLimit, unpark.ClassDownstream, unpark.ClassLock, unpark.ClassIO:
		return true
	}
	return false
}
