package offers

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// prepared is the functions beside one that a service calls that take a type of the package which an exported function makes ready by what costs,
// and that do not come to that themselves: RunProgram(*Program) beside RunString(text), of which Compile makes the Program. What costs is then
// done once for many calls. Inner is what lies below the call.
func prepared(p *source, function string, inner []unpark.Site, f unpark.Finding) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || d.Body == nil {
		return nil
	}
	costly := reached(p, d, inner, below(function, inner, f))
	if costly == "" || f.Class == unpark.ClassLock { // what takes the lock is not what costs
		return nil
	}
	verb, of := unpark.Words(d.Name.Name)[0], ""
	if maker.MatchString(d.Name.Name) && d.Recv == nil {
		of = makes(d) // what makes something else is no other way to it
	}
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other == d || !other.Name.IsExported() || other.Body == nil || receiver(other) != receiver(d) || deprecated(other.Doc) ||
			unpark.Words(other.Name.Name)[0] != verb || of != "" && makes(other) != of || results(other) != results(d) || p.runs(other)[costly] {
			continue
		}
		for _, param := range other.Type.Params.List {
			of := typeOf(param.Type)
			if !ast.IsExported(of) || of == receiver(d) || p.structs[of] == nil && !p.asks(of) || takes(d, of) {
				continue
			}
			if by := readies(p, of, costly, d); by != "" {
				out = append(out, found{
					setting: setting{name: name, kind: of, doc: firstOf(other.Doc), pkg: p}, at: function, by: by, calls: costly, score: 1,
				})
				break
			}
		}
	}
	return out
}

// reached is what costs by the name with which a function of the package comes to it: itself, or what the package calls of another one on the way
// there.
func reached(p *source, d *ast.FuncDecl, inner []unpark.Site, costly string) string {
	mine := p.runs(d)
	if mine[costly] {
		return costly
	}
	for _, s := range slices.Backward(inner) {
		if unpark.PackageOf(s.Function) == p.path {
			continue
		}
		name := local(s.Function)
		if name = name[strings.LastIndexByte(name, '.')+1:]; mine[name] && name != d.Name.Name {
			return name
		}
		break
	}
	return ""
}

// takes reports whether a function has a parameter of a type.
func takes(d *ast.FuncDecl, of string) bool {
	return slices.ContainsFunc(d.Type.Params.List, func(f *ast.Field) bool { return paramOf(f.Type) == of })
}

// readies is the exported function by which a type is made ready that comes to what costs: that of the called function's own name, or what makes
// the type, of the called function's type first; empty where there is none.
func readies(p *source, of, costly string, called *ast.FuncDecl) string {
	if d := p.funcs[of+"."+called.Name.Name]; d != nil && p.runs(d)[costly] {
		return nameOf(d)
	}
	best := ""
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		d := p.funcs[name]
		on := receiver(d)
		if !d.Name.IsExported() || makes(d) != of || deprecated(d.Doc) || !p.runs(d)[costly] {
			continue
		}
		if on == receiver(called) {
			return name
		}
		if best == "" && (on == "" || ast.IsExported(on)) {
			best = name
		}
	}
	return best
}

// results is what a function gives, without names.
func results(d *ast.FuncDecl) string {
	_, gives, _ := strings.Cut(shape(d), "→")
	return gives
}
