package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// branch is a node of a tree that is being built.
type branch struct {
	facts.Node
	lines map[unpark.Site]float64
	below map[string]*branch
}

// tree joins the stacks of a kind that serve requests.
func tree(p *profiles, kind unpark.Kind) facts.Tree {
	var root branch
	for s := range p.of(kind) {
		if s.label.Side != unpark.RequestPath || s.value <= 0 {
			continue
		}
		work := s.work()
		at := &root
		at.add(s.value, work)
		for _, f := range s.owners() {
			at = at.call(s.sites[f.index], f.app, s.value)
			at.add(s.value, work)
		}
	}
	least := leastNode * root.Value
	return facts.Tree{Total: root.Value, Roots: root.calls(nil, least)}
}

func (b *branch) add(value float64, w work) {
	b.Value += value
	switch w {
	case workMalloc, workGC:
		b.Malloc += value
	case workSyscall:
		b.Kernel += value
	}
}

// call returns the node of a function that b calls.
func (b *branch) call(site unpark.Site, app bool, value float64) *branch {
	if b.below == nil {
		b.below = map[string]*branch{}
	}
	next := b.below[site.Function]
	if next == nil {
		next = &branch{Node: facts.Node{App: app}, lines: map[unpark.Site]float64{}}
		b.below[site.Function] = next
	}
	next.lines[site] += value
	return next
}

// calls returns what b calls, but for what is too small to matter, largest first.
func (b *branch) calls(caller *facts.Node, least float64) []*facts.Node {
	var out []*facts.Node
	for _, next := range b.below {
		if next.Value < least {
			continue
		}
		n := next.Node
		n.Site, n.Caller = heaviestSite(next.lines), caller
		n.Calls = next.calls(&n, least)
		out = append(out, &n)
	}
	slices.SortFunc(out, func(a, b *facts.Node) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), compareSites(a.Site, b.Site))
	})
	return out
}

// frame is one of a stack, by its index.
type frame struct {
	index int
	app   bool // the application's
}

// owners returns the frames of a stack that may own a cost, outermost first: those below
// the server, without the runtime, without what only carries out what it is asked for,
// and of a package of Go only the function by which it was entered;
// packages that are internal to Go are part of what called them.
func (s stack) owners() []frame {
	is := func(i int, r roles.Role) bool { return s.catalogue.Is(s.sites[i].Function, r) }
	first := len(s.sites) - 1
	for i := range s.sites {
		if is(i, roles.Request) || is(i, roles.Handler) || is(i, roles.Starter) {
			first = i - 1
			break
		}
	}
	var out []frame
	if s.label.App < 0 && !s.on(roles.Handler) {
		return nil // the server itself
	}
	apps := s.catalogue.AppFrames(s.sites)
	entered := "" // the package of Go that the frames are in
	for i := first; i >= 0; i-- {
		app, pkg := slices.Contains(apps, i), ""
		if is(i, roles.Standard) && !app {
			pkg = unpark.PackageOf(s.sites[i].Function)
		}
		inside := pkg != "" && (pkg == entered || entered != "" && strings.Contains(pkg, "internal/"))
		entered = pkg
		if inside || s.catalogue.Generated(s.sites[i]) || is(i, roles.Machinery) || is(i, roles.Carrier) {
			continue
		}
		out = append(out, frame{i, app})
	}
	return out
}
