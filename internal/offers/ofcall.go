package offers

import (
	"go/ast"
	"maps"
	"regexp"
	"slices"

	"github.com/unpark-go/unpark"
)

// What documentation says of the options of a call that decide how long it takes.
var (
	// ending is what ends a wait before the time is over.
	ending = regexp.MustCompile(`(?i)\b((stops?|ends?|finish(es)?)\b[^.;]{0,40}\b(once|after|when|as soon as)|maximum (number|amount|count) of|at most|no more than|time frame|(does not|doesn't|do not|without|never|no longer) (wait|block)\w*|non-?blocking|quorum)\b`)
	// prompt is what is said of an option by which an answer comes sooner.
	prompt = regexp.MustCompile(`(?i)\b(better for|best for|suited for|reduc\w*|improv\w*|decreas\w*|minimi[sz]\w*|lower(s|ing)?) [^.;]{0,20}(latency|response time)|\b(lower|less|minimal) latency\b`)
	// spoiled is where it is said of the opposite.
	spoiled = regexp.MustCompile(`(?i)\b(higher|increas\w*|more|add\w*|at the (cost|expense) of|worse\w*) [^.;]{0,20}latency\b`)
)

// callOptions is the options of a call that a service makes which by their documentation decide how long it takes: functions that give what it
// takes any number of, and fill what the functions on the way read.
func callOptions(p *source, function string, functions []string, class unpark.Class) []found {
	d := p.funcs[local(function)]
	if d == nil || d.Body == nil || class == unpark.ClassLock {
		return nil
	}
	of := anyNumber(d)
	if !ast.IsExported(of) || !p.functional[of] && p.interfaces[of] == nil {
		return nil
	}
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		o := p.funcs[name]
		if o.Recv != nil || o.Body == nil || !o.Name.IsExported() || makes(o) != of || deprecated(o.Doc) {
			continue
		}
		said, score := saysSooner(o.Doc.Text(), class)
		if score > 0 && readOnWay(p, functions, fieldsSet(o)) {
			out = append(out, found{setting: setting{name: name, kind: of, doc: said, pkg: p}, at: function, by: takenBy(p, d, of), score: score})
		}
	}
	return out
}

// anyNumber is the type of which a function takes any number, last; empty where there is none.
func anyNumber(d *ast.FuncDecl) string {
	list := d.Type.Params.List
	if len(list) == 0 {
		return ""
	}
	if rest, ok := list[len(list)-1].Type.(*ast.Ellipsis); ok {
		return typeOf(rest.Elt)
	}
	return ""
}

// takenBy is the function that users call with options of a type: of one that is not exported what calls it with them.
func takenBy(p *source, d *ast.FuncDecl, of string) string {
	if d.Name.IsExported() {
		return nameOf(d)
	}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		if o := p.funcs[name]; o.Name.IsExported() && anyNumber(o) == of && readsWithin(p, o, d.Name.Name, 0) {
			return name
		}
	}
	return nameOf(d)
}

// saysSooner is the sentence of documentation by which something takes less long, and how well that goes with a class.
func saysSooner(doc string, class unpark.Class) (sentence string, score int) {
	for _, s := range sentences(doc) {
		switch {
		case spoiled.MatchString(s):
		case waits(class) && prompt.MatchString(s), gain.MatchString(s):
			return shortened(s), guard + 1
		case class == unpark.ClassChannel && ending.MatchString(s): // what ends an answer is not what the other side needs for it
			if score == 0 {
				sentence, score = shortened(s), guard
			}
		}
	}
	return sentence, score
}

// readOnWay reports whether functions of a stack come to one of some fields.
func readOnWay(p *source, functions, fields []string) bool {
	return slices.ContainsFunc(functions, func(function string) bool {
		d := p.funcs[local(function)]
		return d != nil && slices.ContainsFunc(fields, func(field string) bool { return readsWithin(p, d, field, deepest-1) })
	})
}

// functionsOf is the functions of a stack that a package has.
func functionsOf(r *Reader, p *source, stack []unpark.Site) []string {
	var out []string
	for _, s := range stack {
		if r.of(s) == p {
			out = append(out, s.Function)
		}
	}
	return out
}

// once leaves out settings that are told in another way as well, and of waits, where options of the very call say that they end them, what only has
// fitting names.
func once(f unpark.Finding, all map[unpark.OfferKind][]found) {
	all[unpark.OfferSetting] = slices.DeleteFunc(all[unpark.OfferSetting], func(s found) bool {
		same := func(o found) bool { return o.name == s.name && o.pkg == s.pkg }
		return slices.ContainsFunc(all[unpark.OfferOption], same) || slices.ContainsFunc(all[unpark.OfferCostly], same) ||
			waits(f.Class) && s.far == deepest && len(all[unpark.OfferOption]) > 0
	})
	all[unpark.OfferCostly] = slices.DeleteFunc(all[unpark.OfferCostly], func(s found) bool {
		return slices.ContainsFunc(all[unpark.OfferSwitch], func(o found) bool { return o.name == s.name && o.pkg == s.pkg })
	})
}
