package offers

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// pages are the words of a parameter that says how many things one call gets; what is called Limit may be the most of all.
var pages = []string{"per page", "page size", "results per page", "max results", "max keys", "max items", "max records", "page limit"}

// paged is the field that says how many things come by one call, in what the call of another service is given: where a list is asked for page by
// page, larger ones take fewer calls (PerPage of ListOptions, which the options of a call may have from another type).
func paged(p *source, function string, class unpark.Class) []found {
	d := p.funcs[local(function)]
	if class != unpark.ClassDownstream || d == nil || !d.Name.IsExported() || deprecated(d.Doc) {
		return nil
	}
	for _, param := range d.Type.Params.List {
		if f, ok := pageOf(p, paramOf(param.Type), deepest); ok {
			f.at, f.by = function, nameOf(d)
			return []found{f}
		}
	}
	return nil
}

// pageOf looks for it in a type, and in those that it has the fields of.
func pageOf(p *source, of string, deep int) (found, bool) {
	of = strings.TrimLeft(of, "*")
	s := p.structs[of]
	if s == nil || deep == 0 {
		return found{}, false
	}
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 { // embedded
			if at, ok := pageOf(p, typeOf(f.Type), deep-1); ok {
				return at, true
			}
			continue
		}
		for _, id := range f.Names {
			kind := typeOf(f.Type)
			if id.IsExported() && ast.IsExported(of) && strings.Contains(kind, "int") && slices.Contains(pages, strings.Join(unpark.Words(id.Name), " ")) {
				return found{setting: setting{name: of + "." + id.Name, kind: kind, doc: firstOf(f.Doc, f.Comment), pkg: p}, score: 1}, true
			}
		}
	}
	return found{}, false
}
