package evidence

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// way is what lies above a function, outermost first, and how much was seen of it.
type way struct {
	sites  []unpark.Site
	weight float64
}

// complete puts stacks of work below what they are a part of: those that profiles cut off
// at their deepest frame below the function that the others came to it by, and those of
// goroutines that requests start below the go statement, as the traces show it.
func (p *profiles) complete(ts *traces) {
	for kind, deepest := range map[unpark.Kind]int{unpark.KindCPU: deepCPU, unpark.KindAllocs: deepAllocs} {
		p.below(kind, p.whole(kind, deepest), func(s stack) bool { return len(s.sites) >= deepest })
	}
	started := ts.started()
	for _, kind := range []unpark.Kind{unpark.KindCPU, unpark.KindAllocs} {
		p.below(kind, started, func(s stack) bool { return !slices.ContainsFunc(s.sites, s.handles) })
	}
}

// below puts those stacks of a kind that want it below the way to their outermost function.
func (p *profiles) below(kind unpark.Kind, above map[string][]unpark.Site, wants func(stack) bool) {
	for i, s := range p.stacks[kind] {
		if len(s.sites) == 0 || s.observer() || !wants(s) {
			continue
		}
		outer := above[s.sites[len(s.sites)-1].Function]
		if len(outer) == 0 {
			continue
		}
		s.sites = slices.Clone(s.sites)
		for _, site := range slices.Backward(outer) {
			s.sites = append(s.sites, site)
		}
		s.label = p.catalogue.Label(kind, s.sites)
		p.stacks[kind][i] = s
	}
}

// whole returns what lies above the functions with which stacks of a kind are cut off, by
// the stacks that are not.
func (p *profiles) whole(kind unpark.Kind, deepest int) map[string][]unpark.Site {
	ways := map[string][]way{}
	for _, s := range p.stacks[kind] {
		if n := len(s.sites); n >= deepest {
			ways[s.sites[n-1].Function] = nil
		}
	}
	for _, s := range p.stacks[kind] {
		if len(s.sites) >= deepest || len(ways) == 0 {
			continue
		}
		outer := slices.Clone(s.sites)
		slices.Reverse(outer)
		met := map[string]bool{}
		for i, site := range outer {
			if _, cut := ways[site.Function]; cut && !met[site.Function] {
				met[site.Function] = true
				ways[site.Function] = append(ways[site.Function], way{outer[:i], s.value})
			}
		}
	}
	out := map[string][]unpark.Site{}
	for f, ws := range ways {
		out[f] = common(ws)
	}
	return out
}

// started returns what lies above the functions that goroutines begin with which requests
// start.
func (ts *traces) started() map[string][]unpark.Site {
	if !ts.knows() {
		return nil
	}
	ways := map[string][]way{}
	counts := map[string]float64{}
	for _, i := range ts.fair {
		t := ts.all[i]
		for n, creators := range t.Starts {
			entry := t.Stacks[n]
			if len(entry) == 0 {
				continue
			}
			f := entry[len(entry)-1].Function
			for n, count := range creators {
				creator := slices.Clone(t.Stacks[n])
				slices.Reverse(creator)
				ways[f] = append(ways[f], way{creator, float64(count)})
				counts[f] += float64(count)
			}
		}
	}
	lines := lineage{catalogue: ts.window.catalogue, ways: ways, found: map[string][]unpark.Site{}}
	out := map[string][]unpark.Site{}
	for f, n := range counts {
		if n >= startsEach*float64(ts.count) {
			out[f] = lines.above(f)
		}
	}
	return out
}

// serves reports whether a frame calls what serves a request, or what a goroutine was
// started for; handles leaves out the latter.
func (s stack) serves(at unpark.Site) bool {
	return s.handles(at) || s.catalogue.Is(at.Function, roles.Starter) && !slices.ContainsFunc(s.sites, s.handles)
}

func (s stack) handles(at unpark.Site) bool {
	return s.catalogue.Is(at.Function, roles.Request) || s.catalogue.Is(at.Function, roles.Handler)
}
