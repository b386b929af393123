package evidence

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// lineage follows goroutines to the request that started them, through those that started
// one another.
type lineage struct {
	catalogue *profile.Catalogue
	ways      map[string][]way // to the go statement, by what the goroutine begins with
	found     map[string][]unpark.Site
}

// above returns the frames above a function that a goroutine begins with, outermost first;
// none where no request starts it, or several do in ways that have nothing in common.
func (l *lineage) above(function string) []unpark.Site {
	function = unpark.WithoutTypeArguments(function)
	if sites, ok := l.found[function]; ok {
		return sites
	}
	l.found[function] = nil // a goroutine that starts its like
	var ways []way
	for _, w := range l.ways[function] {
		whole := stack{catalogue: l.catalogue, sites: w.sites}
		if !slices.ContainsFunc(w.sites, whole.handles) {
			sites := []unpark.Site(nil)
			if len(w.sites) > 0 {
				sites = l.above(w.sites[0].Function)
			}
			if len(sites) == 0 {
				w.sites = nil
			} else {
				w.sites = slices.Concat(sites, w.sites)
			}
		}
		ways = append(ways, w)
	}
	l.found[function] = common(ways)
	return l.found[function]
}

// common returns the frames that nearly all ways share, outermost first.
func common(ways []way) []unpark.Site {
	var total float64
	for _, w := range ways {
		total += w.weight
	}
	var out []unpark.Site
	for total > 0 {
		depth := len(out)
		at := map[string]map[unpark.Site]float64{}
		sums := map[string]float64{}
		for _, w := range ways {
			if depth < len(w.sites) {
				s := w.sites[depth]
				if at[s.Function] == nil {
					at[s.Function] = map[unpark.Site]float64{}
				}
				at[s.Function][s] += w.weight
				sums[s.Function] += w.weight
			}
		}
		best := heaviest(sums)
		if sums[best] < sameWay*total || best == "" {
			return out
		}
		out = append(out, heaviestSite(at[best]))
		ways = slices.DeleteFunc(ways, func(w way) bool { return depth >= len(w.sites) || w.sites[depth].Function != best })
	}
	return out
}
