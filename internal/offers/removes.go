package offers

import (
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"

	"github.com/unpark-go/unpark"
)

// removes is what takes out of a collection what another function of the package puts in, where a function at a finding goes through all
// that is there: Evict beside SubscribeTopic, where Publish goes through the subscribers. What is put in for each request and never
// taken out makes that longer with each. A function that takes out itself while it goes through sweeps.
func (r *Reader) removes(f unpark.Finding, stack []unpark.Site) []found {
	switch f.Class {
	case unpark.ClassIO, unpark.ClassDownstream, unpark.ClassRateLimit, unpark.ClassSyscall:
		return nil
	}
	for _, s := range slices.Concat(stack, ends(f)) {
		p := r.of(s)
		if p == nil {
			continue
		}
		d := p.funcs[local(s.Function)]
		if d == nil || d.Body == nil {
			continue
		}
		goes := ranges(d)
		if f.Class == unpark.ClassLock { // the lock is held while another function goes through what this one puts in
			goes = append(goes, filledMaps(p, d)...)
		}
		for _, of := range goes {
			if d := goer(p, d, of); d == nil {
				continue
			} else if remover, adder := pair(p, d, of); remover != nil {
				return []found{{setting: setting{name: nameOf(remover), kind: of, doc: firstOf(remover.Doc), pkg: p}, at: s.Function, by: nameOf(adder), calls: nameOf(d), score: 1}}
			}
		}
	}
	return nil
}

// enders are the names of methods by which something is over.
var enders = regexp.MustCompile(`^(Close|Stop|Shutdown|Quit|Cancel|Release|Unsubscribe|Terminate|Dispose|Destroy)`)

// ended is the method of what a goroutine runs for that ends it, where goroutines are left behind: it closes, or sends to, a channel that the goroutine
// waits at, or cancels what that comes from.
func (r *Reader) ended(f unpark.Finding, stack []unpark.Site) []found {
	if f.Class != unpark.ClassLeak {
		return nil
	}
	for _, s := range stack {
		p := r.of(s)
		if p == nil {
			continue
		}
		d := p.funcs[local(s.Function)]
		if d == nil || d.Body == nil || d.Recv == nil && !maker.MatchString(d.Name.Name) {
			continue
		}
		of := receiver(d)
		if d.Recv == nil { // a function literal of what makes it
			of = makes(d)
		}
		waited := receives(d)
		for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
			other := p.funcs[name]
			if receiver(other) != of || !ast.IsExported(of) || !enders.MatchString(other.Name.Name) || deprecated(other.Doc) {
				continue
			}
			reads := p.runs(other)
			if slices.ContainsFunc(waited, func(name string) bool { return reads[name] }) || slices.Contains(waited, "Done") && reads["cancel"] {
				return []found{{setting: setting{name: name, kind: unpark.TypeEnds, doc: firstOf(other.Doc), pkg: p}, at: s.Function, by: of, calls: nameOf(d), score: 1}}
			}
		}
	}
	return nil
}

// receives is the channels that a function waits at, and Done where that is a context's.
func receives(d *ast.FuncDecl) []string {
	var out []string
	keep := func(e ast.Expr) {
		if call, ok := e.(*ast.CallExpr); ok {
			e = call.Fun
		}
		if name := lastName(e); name != "" {
			out = append(out, name)
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				keep(n.X)
			}
		case *ast.RangeStmt:
			keep(n.X)
		}
		return true
	})
	return out
}

// ends is the functions that are at the ends of a finding, whatever calls them.
func ends(f unpark.Finding) []unpark.Site {
	var out []unpark.Site
	for _, s := range []*unpark.Site{f.Culprit, f.Holder, f.Waiter} {
		if s != nil {
			out = append(out, *s)
		}
	}
	return out
}

// ranges is the fields and variables that a function goes through.
func ranges(d *ast.FuncDecl) []string {
	var out []string
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok {
			if name := lastName(loop.X); name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		return true
	})
	return out
}

// goer is the function that goes through a map and takes nothing out of it: the one that is asked for, or another that takes a lock; nil where
// there is none.
func goer(p *source, d *ast.FuncDecl, of string) *ast.FuncDecl {
	if slices.Contains(ranges(d), of) {
		if len(deletes(p, d, of)) > 0 {
			return nil
		}
		return d
	}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other.Body == nil || !slices.Contains(ranges(other), of) || len(deletes(p, other, of)) > 0 {
			continue
		}
		if names, _ := p.reads(other); names["Lock"] || names["RLock"] {
			return other
		}
	}
	return nil
}

// filledMaps is the maps that a function puts something into.
func filledMaps(p *source, d *ast.FuncDecl) []string {
	var out []string
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, to := range a.Lhs {
				if at, ok := to.(*ast.IndexExpr); ok && lastName(at.X) != "" {
					out = append(out, lastName(at.X))
				}
			}
		}
		return true
	})
	return out
}

// pair is an exported function that takes one thing out of a map and one that puts one in; nil where there are not both.
func pair(p *source, goes *ast.FuncDecl, of string) (remover, adder *ast.FuncDecl) {
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		d := p.funcs[name]
		if d == goes || !d.Name.IsExported() || d.Body == nil || deprecated(d.Doc) || d.Recv != nil && !ast.IsExported(receiver(d)) {
			continue
		}
		switch {
		case remover == nil && slices.ContainsFunc(deletes(p, d, of), func(key string) bool { return isGiven(d, key) }):
			remover = d
		case adder == nil && slices.Contains(filledMaps(p, d), of):
			adder = d
		}
	}
	if adder == nil {
		return nil, nil
	}
	return remover, adder
}

// deletes is the keys that a function deletes from a map.
func deletes(p *source, d *ast.FuncDecl, of string) []string {
	var out []string
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 2 && lastName(call.Fun) == "delete" && lastName(call.Args[0]) == of {
			out = append(out, lastName(call.Args[1]))
		}
		return true
	})
	return out
}

// isGiven reports whether a name is a parameter of a function, or what it is a method of.
func isGiven(d *ast.FuncDecl, name string) bool {
	if d.Recv != nil && slices.Contains(namesOf(d.Recv), name) {
		return true
	}
	return slices.Contains(namesOf(d.Type.Params), name)
}
