package offers

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// foreign reports whether a setting is of something else than what is on a stack: the options of an encoder, where
// the package's decoder is what costs. It is where constructors take options of its type, or make that type itself, none of what those make has a
// method on the stack, and something that other constructors make has one.
func foreign(p *source, s setting, stack []unpark.Site) bool {
	of := ownerOf(p, s)
	if of == "" {
		return false
	}
	made, others := map[string]bool{}, map[string]bool{}
	for _, d := range p.funcs {
		t := makes(d)
		if d.Recv != nil || !d.Name.IsExported() || !constructs.MatchString(d.Name.Name) || !ast.IsExported(t) || t == of && configures.MatchString(of) {
			continue
		}
		if t == of || slices.ContainsFunc(d.Type.Params.List, func(f *ast.Field) bool { return paramOf(f.Type) == of }) {
			made[t] = true
		} else {
			others[t] = true
		}
	}
	on := func(types map[string]bool) bool {
		return slices.ContainsFunc(stack, func(s unpark.Site) bool {
			t, _, method := strings.Cut(local(s.Function), ".")
			return method && unpark.PackageOf(s.Function) == p.path && types[t]
		})
	}
	return len(made) > 0 && !on(made) && on(others)
}

// ownerOf is the type by which a constructor takes a setting: that of its field, or what the function that sets it gives.
func ownerOf(p *source, s setting) string {
	if d := p.funcs[s.name]; d != nil {
		if d.Recv != nil {
			return ""
		}
		return makes(d)
	}
	of, _, field := strings.Cut(s.name, ".")
	if !field {
		return ""
	}
	return of
}

// paramOf is the type of a parameter, of each where it takes the rest.
func paramOf(e ast.Expr) string {
	if rest, ok := e.(*ast.Ellipsis); ok {
		return typeOf(rest.Elt)
	}
	return typeOf(e)
}
