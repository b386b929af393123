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
	if d == nil || !d.Name.IsExported() || d.Body == nil || len(parameters(d)) == 0 || d.Type.Results == nil && d.Recv == nil {
		return nil
	}
	costly := below(function, inner, f)
	have, mine := unpark.Words(d.Name.Name), p.runs(d)
	if costly == "" || !mine[costly] {
		return nil // the source does not say how it comes there
	}
	out, own := []found{}, promoted(p, receiver(d))
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other == d || !other.Name.IsExported() || !own[receiver(other)] || shadowed(p, d, other) || deprecated(other.Doc) || other.Body == nil || shape(other) != shape(d) {
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

// promoted is the types of whose methods one has them all, by what it embeds of the package: itself, the structs and, of interfaces, what implements them.
func promoted(p *source, of string) map[string]bool {
	out := map[string]bool{of: true}
	for next := []string{of}; len(next) > 0 && of != ""; next = next[1:] {
		var embedded []*ast.Field
		if t := p.structs[next[0]]; t != nil {
			embedded = t.Fields.List
		}
		if t := p.interfaces[next[0]]; t != nil {
			embedded = t.Methods.List
			if own := methodsOf(t); len(own) > 0 {
				for name := range p.structs {
					if !slices.ContainsFunc(own, func(m string) bool { return p.funcs[name+"."+m] == nil }) {
						out[name] = true
					}
				}
			}
		}
		for _, f := range embedded {
			if name := typeOf(f.Type); len(f.Names) == 0 && name != "" && !slices.Contains(next, name) {
				out[name] = true
				next = append(next, name)
			}
		}
	}
	return out
}

// methodsOf is the names of the methods that an interface itself has.
func methodsOf(t *ast.InterfaceType) []string {
	var out []string
	for _, f := range t.Methods.List {
		for _, id := range f.Names {
			out = append(out, id.Name)
		}
	}
	return out
}

// shadowed reports whether the type of a method has one of its own by the name of another type's.
func shadowed(p *source, d, other *ast.FuncDecl) bool {
	return receiver(other) != receiver(d) && p.funcs[receiver(d)+"."+other.Name.Name] != nil
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
