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
		w := s.amount()
		at := &root
		at.add(w)
		frames := s.owners()
		for _, f := range frames {
			at = at.call(s.sites[f.index], f.app, s.value)
			at.add(w)
		}
		if n := len(frames); n > 0 {
			at.asks(s, frames[n-1].index)
		}
	}
	least := leastNode * root.Value
	return facts.Tree{Total: root.Value, Roots: root.calls(nil, least)}
}

// asks adds what the runtime does for the frame at i of a stack, by the function of it that the frame calls.
func (b *branch) asks(s stack, i int) {
	if i == 0 || !s.catalogue.Is(s.sites[i-1].Function, roles.Runtime) || s.catalogue.Is(s.sites[i].Function, roles.Runtime) {
		return
	}
	if b.Runtime == nil {
		b.Runtime = map[string]float64{}
	}
	b.Runtime[s.sites[i-1].Function] += s.value
}

// amount is what a stack costs, and what of that is of some sort: all or nothing.
func (s stack) amount() facts.Node {
	n := facts.Node{Value: s.value}
	switch s.work() {
	case workMalloc, workGC, workRecord:
		n.Malloc = s.value
	case workSyscall:
		n.Kernel = s.value
		if !s.transfers() && !s.on(roles.Sync) {
			n.Files = s.value
		}
	}
	if s.on(roles.Handoff) {
		n.Handed = s.value
	}
	if i := slices.IndexFunc(s.sites, func(at unpark.Site) bool { return s.catalogue.Is(at.Function, roles.Grows) }); i >= 0 {
		n.Grown, n.Grower = s.value, s.sites[i].Function
	}
	if i := slices.IndexFunc(s.sites, func(at unpark.Site) bool { return s.catalogue.Is(at.Function, roles.Joins) }); i >= 0 {
		n.Joined, n.Joiner = s.value, s.sites[i].Function
	}
	if n.Malloc == 0 && len(s.sites) > 0 && s.catalogue.Is(s.sites[0].Function, roles.Moves) {
		n.Moved = s.value
	}
	return n
}

// transfers reports whether a system call reads or writes, or is made on a socket: answers take
// that, whatever the function does. Opening, closing and asking for files is what it does itself.
func (s stack) transfers() bool {
	return s.on(roles.ReadCall) || s.on(roles.WriteCall) || s.on(roles.Socket) || s.on(roles.RawSocket)
}

func (b *branch) add(n facts.Node) {
	b.Value += n.Value
	b.Malloc += n.Malloc
	b.Kernel += n.Kernel
	b.Files += n.Files
	b.Handed += n.Handed
	b.Moved += n.Moved
	b.Grown += n.Grown
	b.Grower = cmp.Or(b.Grower, n.Grower)
	b.Joined += n.Joined
	b.Joiner = cmp.Or(b.Joiner, n.Joiner)
}

// call returns the node of a function that b calls.
func (b *branch) call(site unpark.Site, app bool, value float64) *branch {
	if b.below == nil {
		b.below = map[string]*branch{}
	}
	next := b.below[site.Function]
	if next == nil {
		next = &branch{Node: facts.Node{App: app, Makes: roles.Constructs(site.Function)}, lines: map[unpark.Site]float64{}}
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

// ofModule reports whether a goroutine that serves no request itself was started by a module for its own work: what a client encodes and
// sends, a store merges, a cache throws out. No line of the application is on it, and for all that its cost is that of what is asked of
// the module.
func (s stack) ofModule() bool {
	if slices.ContainsFunc(s.sites, s.handles) || s.on(roles.ServesMany) {
		return false
	}
	for _, at := range slices.Backward(s.sites) {
		if s.catalogue.Is(at.Function, roles.Starter) || s.catalogue.Is(at.Function, roles.Runtime) {
			continue
		}
		_, _, _, versioned := at.Module()
		return versioned && !s.catalogue.Is(at.Function, roles.Standard)
	}
	return false
}

// owners returns the frames of a stack that may own a cost, outermost first: those below
// the server, without the runtime, without what only carries out what it is asked for,
// and of a package of Go only the function by which it was entered;
// packages that are internal to Go are part of what called them.
func (s stack) owners() []frame {
	is := func(i int, r roles.Role) bool { return s.catalogue.Is(s.sites[i].Function, r) }
	first := len(s.sites) - 1
	if served := slices.IndexFunc(s.sites, s.serves); served >= 0 {
		first = served - 1
	}
	var out []frame
	if s.label.App < 0 && !s.on(roles.Handler) && !s.ofModule() {
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
		if inside || s.catalogue.Generated(s.sites[i]) || is(i, roles.Starter) || is(i, roles.Machinery) || is(i, roles.Carrier) {
			continue
		}
		out = append(out, frame{i, app})
	}
	return out
}
