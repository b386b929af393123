package offers

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// foreign reports whether a setting is of something else than what is on a stack: the options of an encoder, where
// the package's decoder is what costs. It is where constructors take options of its type, or make that type itself, none of what those make has a
// method on the stack, and something that other constructors make has one.
func foreign(p *source, s setting, stack []unpark.Site) bool {
	if d := p.funcs[s.function()]; d != nil && d.Recv != nil && ofOneCall(p, receiver(d)) {
		return true // of a single call
	}
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
	if d := p.funcs[s.function()]; d != nil {
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

// apart reports whether what reads a setting is all of types that have nothing to do with a stack: their methods, none of which is on
// it or is of a part of what is. Of a setting that nothing in the package reads nothing is known.
func apart(s found, stack []unpark.Site) bool {
	p := s.pkg
	on := concerned(p, stack)
	known := false
	for _, d := range readers(p, s.read) {
		if options.MatchString(d.Name.Name) || option(p, d) {
			continue
		}
		if of := receiver(d); of == "" || on[of] {
			return false
		}
		known = true
	}
	return known && len(on) > 0
}

// concerned is the types of a package that a stack has to do with: of what its functions are methods, what they make, and what these consist of.
func concerned(p *source, stack []unpark.Site) map[string]bool {
	on := map[string]bool{}
	for _, at := range stack {
		if of, _, method := strings.Cut(local(at.Function), "."); unpark.PackageOf(at.Function) == p.path {
			if d := p.funcs[local(at.Function)]; method {
				on[of] = true
			} else if d != nil {
				on[makes(d)] = true
			}
		}
	}
	delete(on, "")
	for more := slices.Collect(maps.Keys(on)); len(more) > 0; more = more[1:] { // and what they consist of
		if t := p.structs[more[0]]; t != nil {
			for _, f := range t.Fields.List {
				if kind := typeOf(f.Type); !on[kind] {
					on[kind], more = true, append(more, kind)
				}
			}
		}
	}
	return on
}

// strange reports whether a setting of what computes is of a type that a stack has nothing to do with: a field that is not there to be set alone, a
// method, or what a constructor is given. Another type's field of the same name is what the code there reads.
func strange(s setting, stack []unpark.Site) bool {
	p := s.pkg
	of, _, field := strings.Cut(s.name, ".")
	switch d := p.funcs[s.function()]; {
	case d != nil && d.Recv == nil && !makers.MatchString(d.Name.Name), d == nil && (!field || configures.MatchString(of) || p.vars[of].kind != ""):
		return false
	case d != nil && d.Recv == nil:
		of = makes(d)
	case d != nil:
		of = receiver(d)
	}
	on := concerned(p, stack)
	return len(on) > 0 && !on[of]
}

// asked reports whether a setting turns off what a function on a stack is there for, by its name: Enforce without EnableEnforce does nothing.
func asked(s setting, stack []unpark.Site) bool {
	subject := slices.DeleteFunc(s.words(), isTurn)
	return s.kind == "bool" && len(subject) > 0 && slices.ContainsFunc(stack, func(at unpark.Site) bool {
		name := nameOnly(at.Function)
		return ast.IsExported(name) && slices.Equal(unpark.Words(name), subject)
	})
}

// readers is the functions that read a name.
func readers(p *source, name string) []*ast.FuncDecl {
	if p.readBys == nil {
		p.readBys = map[string][]*ast.FuncDecl{}
		for _, d := range p.funcs {
			names, _ := p.reads(d)
			for n := range names {
				p.readBys[n] = append(p.readBys[n], d)
			}
		}
	}
	return p.readBys[name]
}
