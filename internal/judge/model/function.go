package model

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// Function is one function of the application with its own CPU, joined over lines.
type Function struct {
	Site facts.CPUSite // the heaviest line
	Self float64       // s, with the library and runtime code that it calls
}

// functions returns those of the request path, by their own CPU.
func functions(sites []facts.CPUSite) []Function {
	by := map[string]*Function{}
	for _, s := range sites {
		if s.Side != unpark.RequestPath || s.Self <= 0 {
			continue
		}
		f := by[s.Site.Function]
		if f == nil {
			f = &Function{}
			by[s.Site.Function] = f
		}
		if s.Self > f.Site.Self {
			f.Site = s
		}
		f.Self += s.Self
	}
	return largest(by, func(f Function) (float64, string) { return f.Self, f.Site.Site.Function })
}

// largest returns the rows of a table, the largest first, and by name where they are equal.
func largest[K comparable, T any](by map[K]*T, order func(T) (size float64, name string)) []T {
	out := make([]T, 0, len(by))
	for _, row := range by {
		out = append(out, *row)
	}
	slices.SortFunc(out, func(a, b T) int {
		sizeA, nameA := order(a)
		sizeB, nameB := order(b)
		return cmp.Or(cmp.Compare(sizeB, sizeA), cmp.Compare(nameA, nameB))
	})
	return out
}

// Allocating is the part of a function's time that went straight into the allocator.
func (f Function) Allocating() float64 {
	var sum float64
	for _, c := range f.Site.Callees {
		if roles.Is(c.Site.Function, roles.Allocate) {
			sum += c.Value
		}
	}
	return sum / f.Site.Self
}

// Hotspot is the CPU of recognised library frames at one function of the application.
type Hotspot struct {
	Site  unpark.Site
	Leaf  unpark.Site // the recognised frame
	Stack []unpark.Site
	CPU   float64 // s, of this function
	All   float64 // s, of all functions
}

// Hotspots sums the signals that are asked for by the function that is responsible, largest first.
// A signal without a frame of the application belongs to its library frame.
func (m *Model) Hotspots(asked func(facts.Signal) bool) []Hotspot {
	by := map[string]*Hotspot{}
	top := map[string]float64{}
	var all float64
	for _, s := range m.Ev.Signals {
		if s.CPU <= 0 || !asked(s) {
			continue
		}
		site := s.Site
		if site.IsZero() {
			site = s.Leaf
		}
		h := by[site.Function]
		if h == nil {
			h = &Hotspot{}
			by[site.Function] = h
		}
		if s.CPU > top[site.Function] {
			top[site.Function] = s.CPU
			h.Site, h.Leaf, h.Stack = site, s.Leaf, s.Stack
		}
		h.CPU += s.CPU
		all += s.CPU
	}
	out := largest(by, func(h Hotspot) (float64, string) { return h.CPU, h.Site.Function })
	for i := range out {
		out[i].All = all
	}
	return out
}
