package offers

import (
	"cmp"
	"go/ast"
	"maps"
	"slices"
)

// reads is the names of what a function reads of others, and which functions of its package it calls.
func (p *source) reads(d *ast.FuncDecl) (names map[string]bool, calls []*ast.FuncDecl) {
	names = map[string]bool{}
	if d.Body == nil {
		return names, nil
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			names[n.Sel.Name] = true
		case *ast.Ident:
			names[n.Name] = true
		case *ast.CallExpr:
			calls = append(calls, p.called(n)...)
		}
		return true
	})
	return names, calls
}

// called is the functions of the package that a call may be of: by its name, and a method by its
// name alone where few types have one of that name.
func (p *source) called(call *ast.CallExpr) []*ast.FuncDecl {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if d := p.funcs[f.Name]; d != nil {
			return []*ast.FuncDecl{d}
		}
	case *ast.SelectorExpr:
		of := p.methods[f.Sel.Name]
		if len(of) == 0 { // it is a field's
			for _, a := range placed(p)[f.Sel.Name] {
				of = append(of, p.methods[a.of]...)
			}
			return of
		}
		if len(of) <= sameName {
			return of
		}
	}
	return nil
}

const sameName = 2 // methods of one name that a call may be of

// found is a setting, and how far from the place of the cost it is read.
type found struct {
	setting
	at, by string // the function of a stack that it is for, and the one that reads it
	far    int
	score  int
	sizes  bool   // it is the capacity of a channel that is waited at
	waited bool   // that is by the innermost function of a stack
	calls  string // what is called, or not, by it
	on     bool   // it is where that is on
	way    string // what sort of switch it is, where that is no bool
	read   string // the name by which code reads it
}

// deepest is how many calls below a stack are looked at.
const deepest = 3

// known is what users may set of a package, and of its module's root: a package that is internal has no
// users of its own.
func (p *source) known() map[string][]setting {
	out := maps.Clone(p.settings())
	if p.root != nil {
		for name, of := range p.root.settings() {
			out[name] = slices.Concat(of, out[name])
		}
	}
	for _, user := range p.users {
		for read, of := range handsDown(user, p) {
			out[read] = append(slices.Clip(out[read]), of...)
		}
	}
	return out
}

// step is a function that is looked at for one of a stack.
type step struct {
	at string
	d  *ast.FuncDecl
}

// unread takes out of names what is no setting, and what a function only refuses or fills.
func unread(names map[string]bool, d *ast.FuncDecl, known map[string][]setting) {
	maps.DeleteFunc(names, func(name string, _ bool) bool { return len(known[name]) == 0 || refuses(d, name) || onlyPuts(d, name) })
}

// readBy is the settings that the functions of a stack read, nearest first: they themselves, and what
// they call, as far as that is asked for. Way says for which end of a channel they wait.
func (p *source) readBy(functions []string, way direction, follow func(caller string, d *ast.FuncDecl) bool) []found {
	known := p.known()
	var out []found
	seen := map[string]bool{}
	take := func(name string, f found) {
		f.read = name
		for _, f.setting = range known[name] {
			if key := f.pkg.path + "." + f.name; !seen[key] && f.name != f.by {
				seen[key] = true
				out = append(out, f)
			}
		}
	}
	var now []step
	met := map[*ast.FuncDecl]bool{}
	meet := func(all []step, s step) []step {
		if s.d == nil || met[s.d] {
			return all
		}
		met[s.d] = true
		return append(all, s)
	}
	for _, f := range functions {
		now = meet(now, step{f, p.funcs[local(f)]})
	}
	for i, s := range now {
		read, idle, given := p.capacities(s.d, way)
		for _, name := range idle {
			delete(known, name)
		}
		f := found{at: s.at, by: nameOf(s.d), sizes: true, waited: i == 0}
		for _, name := range read {
			take(name, f)
		}
		for _, f.setting = range given {
			out = append(out, f)
		}
	}
	for far := range deepest {
		var next []step
		for _, s := range now {
			names, calls := p.reads(s.d)
			unread(names, s.d, known)
			for _, name := range slices.Sorted(maps.Keys(names)) {
				take(name, found{at: s.at, by: nameOf(s.d), far: far})
			}
			for _, d := range calls {
				if far > 0 || follow(s.at, d) {
					next = meet(next, step{s.at, d})
				}
			}
		}
		now = next
	}
	for _, name := range slices.Sorted(maps.Keys(known)) { // the rest of the package, by whatever it is read
		take(name, found{at: functions[0], far: deepest})
	}
	slices.SortStableFunc(out, func(a, b found) int { return cmp.Compare(a.far, b.far) })
	return out
}
