package evidence

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// clip copies the innermost frames of a stack, so that the evidence does not keep
// whole profiles alive.
func clip(stack []unpark.Site) []unpark.Site {
	return slices.Clone(stack[:min(len(stack), maxStack)])
}

// sum is an amount that stacks were added to, with the heaviest of them.
type sum struct {
	value, count, top float64
	samples           int64
	at                int // number of keys that came before
	stack             []unpark.Site
	sides             map[unpark.Side]float64
	parts             map[string]*facts.SiteSum // by function
}

// tally adds up stacks by key.
type tally[K comparable] map[K]*sum

func (t tally[K]) add(key K, s stack, value, count float64) *sum {
	v := t[key]
	if v == nil {
		v = &sum{at: len(t), sides: map[unpark.Side]float64{}, parts: map[string]*facts.SiteSum{}}
		t[key] = v
	}
	v.value += value
	v.count += count
	v.samples++
	v.sides[s.label.Side] += value
	if value > v.top || v.stack == nil {
		v.top, v.stack = value, s.sites
	}
	return v
}

// all yields the sums in the order in which their keys came: equal profiles make equal
// evidence, also where amounts are equal.
func (t tally[K]) all() iter.Seq2[K, *sum] {
	keys := slices.SortedFunc(maps.Keys(t), func(a, b K) int { return cmp.Compare(t[a].at, t[b].at) })
	return func(yield func(K, *sum) bool) {
		for _, k := range keys {
			if !yield(k, t[k]) {
				return
			}
		}
	}
}

// part adds to the amount that went to a frame below.
func (v *sum) part(site unpark.Site, value float64) {
	p := v.parts[site.Function]
	if p == nil {
		p = &facts.SiteSum{Site: site}
		v.parts[site.Function] = p
	}
	p.Value += value
}

// side returns the side that most of the amount belongs to.
func (v *sum) side() unpark.Side {
	return heaviest(v.sides)
}

// callees returns the largest parts.
func (v *sum) callees(limit int) []facts.SiteSum {
	out := make([]facts.SiteSum, 0, len(v.parts))
	for _, p := range v.parts {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b facts.SiteSum) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Site.Function, b.Site.Function))
	})
	return out[:min(len(out), limit)]
}

// heaviest returns the key with the largest value, the smallest such key.
func heaviest[K cmp.Ordered](m map[K]float64) K {
	var best K
	found := false
	for k, v := range m {
		if !found || v > m[best] || v == m[best] && k < best {
			best, found = k, true
		}
	}
	return best
}

// compareSites orders sites, so that equal amounts come out in one order.
func compareSites(a, b unpark.Site) int {
	return cmp.Or(cmp.Compare(a.Function, b.Function), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}

// largest sorts rows by value, largest first, and cuts the list.
func largest[T any](rows []T, value func(T) float64, site func(T) unpark.Site) []T {
	slices.SortStableFunc(rows, func(a, b T) int {
		return cmp.Or(cmp.Compare(value(b), value(a)), compareSites(site(a), site(b)))
	})
	return rows[:min(len(rows), maxRows)]
}
