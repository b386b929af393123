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
// at their deepest frame below the way by which the others came to one of its functions, and those of
// goroutines that requests start below the go statement, as the traces show it.
func (p *profiles) complete(ts *traces) {
	for kind, deepest := range map[unpark.Kind]int{unpark.KindCPU: deepCPU, unpark.KindAllocs: deepAllocs} {
		cut := p.cut(kind, deepest)
		above := p.whole(kind, cut)
		for i := range cut {
			p.graft(kind, i, outerHalf, above)
		}
	}
	started := ts.started()
	for _, kind := range []unpark.Kind{unpark.KindCPU, unpark.KindAllocs} {
		for i, s := range p.stacks[kind] {
			if !slices.ContainsFunc(s.sites, s.handles) {
				p.graft(kind, i, 0, started)
			}
		}
	}
}

// graft puts a stack of a kind below the way to the outermost of its functions to which one is known,
// within an outer part of it: where a recursion was cut off is chance, and the frames beyond are turns of it.
func (p *profiles) graft(kind unpark.Kind, i int, part float64, above map[string][]unpark.Site) {
	s := p.stacks[kind][i]
	if len(s.sites) == 0 || s.observer() {
		return
	}
	last := len(s.sites) - 1
	for at := last; at >= last-int(part*float64(last)); at-- {
		outer := over(above, s.sites[at].Function)
		if len(outer) == 0 {
			continue
		}
		s.sites = slices.Clone(s.sites[:at+1])
		for _, site := range slices.Backward(outer) {
			s.sites = append(s.sites, site)
		}
		s.label = p.catalogue.Label(kind, s.sites)
		p.stacks[kind][i] = s
		return
	}
}

// over is what lies above a function; traces name a generic one in another way than profiles.
func over(above map[string][]unpark.Site, function string) []unpark.Site {
	if sites, ok := above[function]; ok {
		return sites
	}
	return above[unpark.WithoutTypeArguments(function)]
}

// cut tells which stacks of a kind a profile cut off: those about as deep as it allows whose outermost
// function something calls, as other stacks show. What a goroutine begins with nothing calls.
func (p *profiles) cut(kind unpark.Kind, deepest int) map[int]bool {
	called := map[string]bool{}
	for _, s := range p.stacks[kind] {
		for _, site := range s.sites[:max(0, len(s.sites)-1)] {
			called[site.Function] = true
		}
	}
	out := map[int]bool{}
	for i, s := range p.stacks[kind] {
		if n := len(s.sites); float64(n) >= nearlyDeepest*float64(deepest) && called[s.sites[n-1].Function] {
			out[i] = true
		}
	}
	return out
}

// whole returns what lies above the functions of stacks that were cut off, by the stacks
// that are not.
func (p *profiles) whole(kind unpark.Kind, cut map[int]bool) map[string][]unpark.Site {
	ways := map[string][]way{}
	for i := range cut {
		for _, site := range p.stacks[kind][i].sites {
			ways[site.Function] = nil
		}
	}
	for i, s := range p.stacks[kind] {
		if cut[i] || len(ways) == 0 {
			continue
		}
		outer := slices.Clone(s.sites)
		slices.Reverse(outer)
		met := map[string]bool{}
		for i, site := range outer {
			if _, known := ways[site.Function]; known && !met[site.Function] {
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
// start, outermost first: each request, or some of them if they end soon. What goes on may serve others.
func (ts *traces) started() map[string][]unpark.Site {
	if !ts.knows() || ts.begun != nil {
		return ts.begun
	}
	ways := map[string][]way{}
	counts, ended := map[string]float64{}, map[string]float64{}
	for _, i := range ts.fair {
		t := ts.all[i]
		for n, creators := range t.Starts {
			entry := t.Stacks[n]
			if len(entry) == 0 {
				continue
			}
			f := unpark.WithoutTypeArguments(entry[len(entry)-1].Function)
			ended[f] += float64(t.Ended[n])
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
	ts.begun = out
	for f, n := range counts {
		if n >= startsEach*float64(ts.count) || n >= startsFew && ended[f] >= startsEnded*n {
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
