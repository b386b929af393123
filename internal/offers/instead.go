package offers

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// instead is the exported functions that give the same type for the same parameters as one that a service calls, by a name
// with a word more or less, and that do not come to what costs: StrictNewVersion beside NewVersion of a package
// of versions, of which the one matches an expression and the other does not. Inner is what lies below the call.
func (p *source) instead(function string, inner []unpark.Site, f unpark.Finding) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || d.Body == nil || len(parameters(d)) == 0 || d.Type.Results == nil {
		return nil
	}
	costly := below(function, inner, f)
	have, mine := unpark.Words(d.Name.Name), p.runs(d)
	if costly == "" || !mine[costly] {
		return nil // the source does not say how it comes there
	}
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other == d || !other.Name.IsExported() || receiver(other) != receiver(d) || deprecated(other.Doc) || other.Body == nil || shape(other) != shape(d) {
			continue
		}
		words := unpark.Words(other.Name.Name)
		if within := holds(words, have) || holds(have, words); !within || p.runs(other)[costly] || changes(words) && !changes(have) {
			continue
		}
		out = append(out, found{
			setting: setting{name: name, kind: "func", doc: firstOf(other.Doc), pkg: p}, at: function, by: nameOf(d), calls: costly,
			score: -max(len(words)-len(have), len(have)-len(words)),
		})
	}
	return out
}

// below is the name of what costs below a function: of the finding's culprit, or of what the function itself calls
// for most of its cost; empty where that is not known.
func below(function string, inner []unpark.Site, f unpark.Finding) string {
	at := ""
	switch {
	case len(inner) > 0 && (f.Culprit == nil || f.Culprit.Function == function):
		at = inner[len(inner)-1].Function
	case f.Culprit == nil:
	case f.Culprit.Function != function:
		if slices.ContainsFunc(inner, func(s unpark.Site) bool { return s.Function == f.Culprit.Function }) {
			at = f.Culprit.Function
		}
	default:
		for _, part := range f.Into {
			if part.Share >= goodPart {
				at = part.Site.Function
				break
			}
		}
	}
	if at == "" {
		return ""
	}
	name := local(at)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// runs is the names of all that a function comes to within its package: of methods all that have a name, and
// what is handed on without being called, so that what is not among them is not done.
func (p *source) runs(d *ast.FuncDecl) map[string]bool {
	if out, ok := p.ran[d]; ok {
		return out
	}
	out := map[string]bool{}
	if p.ran == nil {
		p.ran = map[*ast.FuncDecl]map[string]bool{}
	}
	p.ran[d] = out
	met := map[*ast.FuncDecl]bool{}
	for next := []*ast.FuncDecl{d}; len(next) > 0; next = next[1:] {
		if met[next[0]] || next[0].Body == nil {
			continue
		}
		met[next[0]] = true
		names, _ := p.reads(next[0])
		for name := range names {
			out[name] = true
			if of := p.funcs[name]; of != nil {
				next = append(next, of)
			}
			next = append(next, p.methods[name]...)
		}
	}
	return out
}

// shape is what a function takes and gives, without names.
func shape(d *ast.FuncDecl) string {
	var out strings.Builder
	for _, list := range []*ast.FieldList{d.Type.Params, d.Type.Results} {
		if list != nil {
			for _, f := range list.List {
				for range max(1, len(f.Names)) {
					out.WriteString(types.ExprString(f.Type) + " ")
				}
			}
		}
		out.WriteString("→")
	}
	return out.String()
}

// holds reports whether all words are among others.
func holds(all, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(all, w) })
}
