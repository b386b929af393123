package offers

import (
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// What documentation says of a switch that costs something where it is on.
var (
	taking = regexp.MustCompile(`(?i)\b((some|extra|additional|performance|runtime|significant|considerable|high|small|slight) (\w+ )?(cost|costs|overhead|penalty)|performance (impact|hit|degradation)|(comes|come) (with|at) [^.;]{0,30}(cost|price|overhead)|(adds?|has|have|incurs?|introduces?|causes?) [^.;]{0,30}(overhead|penalty)|(is|are|be|makes?|becomes?|runs?) [^.;,]{0,30}(slow|slower|expensive|costly)|slows? (\w+ ){0,3}down|(degrad|hurt|impact|affect|reduc)\w* [^.;]{0,20}performance)\b`)
	// sparing is where it is said of what does not cost, of the switch that is off, or of what others cost that it leaves out.
	sparing = regexp.MustCompile(`(?i)\b(no|avoid\w*|reduc\w* [^.;]{0,20}(overhead|cost|costs)|less|lower|low|sav(es?|ing)|eliminat\w*|prevent\w*|skip\w*|without|minimal|negligible|does not|doesn't|will not|won't|has not|disabling|turning (it |this )?off)\b|\b(when|if|while|where|unless) [^.;,]{0,30}(disabled|off|false|unset|not set|not enabled|enabled)\b[^.;]*\bnot\b|\b(when|if|while|where|unless) [^.;,]{0,20}(disabled|turned off|off|false|unset|not set|not enabled)\b`)
)

// costly is the switches of a culprit's module of which the documentation says that they cost where they are on, and which the functions on its
// way read: in their package, or under the same name in one that is internal to the module.
func costly(r *Reader, f unpark.Finding, stack []unpark.Site) []found {
	switch f.Class {
	case unpark.ClassCPU, unpark.ClassAlloc, unpark.ClassGC, unpark.ClassLock:
	default:
		return nil
	}
	if f.Culprit == nil || r.of(*f.Culprit) == nil {
		return nil
	}
	p := r.of(*f.Culprit)
	d := p.funcs[local(f.Culprit.Function)]
	if d == nil {
		return nil
	}
	of := []*source{p}
	if p.root != nil && !slices.Contains(of, p.root) {
		of = append(of, p.root)
	}
	for _, user := range p.users {
		if !slices.Contains(of, user) {
			of = append(of, user)
		}
	}
	var out []found
	for _, q := range of {
		if q.internal() {
			continue
		}
		for _, s := range costlyOf(q) {
			for _, by := range stack {
				caller := p.funcs[local(by.Function)]
				if r.of(by) == p && caller != nil && (q == p || len(unpark.Words(s.fills)) > 1) && takesOff(caller, s.fills) {
					out = append(out, found{setting: s, at: f.Culprit.Function, by: nameOf(caller), score: 1})
					break
				}
			}
		}
	}
	return out
}

// takesOff reports whether a function does something only where a field is on: it is a condition there, by itself or by way of a variable.
func takesOff(d *ast.FuncDecl, field string) bool {
	if d.Body == nil || refuses(d, field) {
		return false
	}
	made, is := locals(d), false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.IfStmt); ok {
			cond := ast.Unparen(s.Cond)
			if b, ok := cond.(*ast.BinaryExpr); ok { // where one of two is enough, or both are asked, it is asked as well
				is = is || asks(b.X, field, made) || asks(b.Y, field, made)
			}
			is = is || asks(cond, field, made)
		}
		return !is
	})
	return is
}

// asks reports whether an expression is a field, or a variable that was made of it.
func asks(e ast.Expr, field string, made map[string]ast.Expr) bool {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		return sel.Sel.Name == field
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || made[id.Name] == nil {
		return ok && id.Name == field
	}
	sel, ok := made[id.Name].(*ast.SelectorExpr)
	return ok && sel.Sel.Name == field
}

// costlyOf is the switches of a package of which the documentation says that they cost where they are on.
func costlyOf(p *source) []setting {
	var out []setting
	add := func(name, fills, kind, doc string) {
		if said := saysTaking(name, doc); said != "" && fills != "" {
			out = append(out, setting{name: name, kind: kind, doc: said, fills: fills, pkg: p})
		}
	}
	for _, of := range slices.Sorted(maps.Keys(p.structs)) {
		for _, f := range p.structs[of].Fields.List {
			for _, id := range f.Names {
				if ast.IsExported(of) && id.IsExported() && typeOf(f.Type) == "bool" && (configures.MatchString(of) || p.made(of) && !messages.MatchString(of)) {
					add(of+"."+id.Name, id.Name, "bool", f.Doc.Text()+f.Comment.Text())
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		d := p.funcs[name]
		if d.Body == nil || !d.Name.IsExported() || !options.MatchString(name) && !enables.MatchString(d.Name.Name) && !option(p, d) {
			continue
		}
		if d.Recv == nil || ast.IsExported(receiver(d)) {
			add(name, switchedBy(d), "func", d.Doc.Text())
			continue
		}
		for _, of := range slices.Sorted(maps.Keys(p.interfaces)) { // the type is not exported, what it is used as is
			for _, m := range p.interfaces[of].Methods.List {
				if ast.IsExported(of) && len(m.Names) == 1 && m.Names[0].Name == d.Name.Name {
					add(of+"."+d.Name.Name, switchedBy(d), "func", m.Doc.Text())
				}
			}
		}
	}
	return out
}

// enables are the names of functions that turn something on.
var enables = regexp.MustCompile(`^(Enable|Use)[A-Z]`)

// switchedBy is the field that a function sets from a bool that it is given, or to true; empty where it takes anything else.
func switchedBy(d *ast.FuncDecl) string {
	params := parameters(d)
	for _, kind := range params {
		if kind != "bool" {
			return ""
		}
	}
	out := ""
	ast.Inspect(d.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || out != "" {
			return true
		}
		to, field := a.Lhs[0].(*ast.SelectorExpr)
		if from, ok := a.Rhs[0].(*ast.Ident); ok && field && (params[from.Name] == "bool" || len(params) == 0 && from.Name == "true") {
			out = to.Sel.Name
		}
		return true
	})
	return out
}

// saysTaking is the sentence of a switch's documentation that says it costs where it is on. One that turns off, or leaves out, says what that costs.
func saysTaking(name, doc string) string {
	words := unpark.Words(name[strings.LastIndexByte(name, '.')+1:])
	off := func(w string) bool {
		return w == "disable" || w == "disabled" || w == "skip" || slices.Contains(without, w)
	}
	if strings.Contains(doc, "Deprecated:") || slices.ContainsFunc(words, off) {
		return ""
	}
	for _, s := range sentences(doc) {
		if taking.MatchString(s) && !sparing.MatchString(s) && !gain.MatchString(s) {
			return shortened(s)
		}
	}
	return ""
}
