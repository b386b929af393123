package functions

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
)

// key names a function in a metric.
type key struct{ metric, function string }

// attribution turns columns that changed into rows, each change once.
type attribution struct {
	all       []column
	inclusive map[key]column    // by function; its own cost where that is all
	within    map[key][]string  // callers, the nearest first
	gone      map[key]string    // own costs that moved: where to or from
	told      map[key][]float64 // by function, the changes in it or below it that have rows
}

func newAttribution(pairs []Pair, all []column) *attribution {
	a := &attribution{all: all, inclusive: map[key]column{}, within: map[key][]string{}, gone: map[key]string{}, told: map[key][]float64{}}
	for _, c := range all {
		k := key{c.metric, c.function}
		if _, ok := a.inclusive[k]; !ok || c.inclusive {
			a.inclusive[k] = c
		}
	}
	for k := range a.inclusive {
		a.within[k] = callers(pairs, k)
	}
	return a
}

// callers goes outwards from a function, each time to the one that calls it for most of its cost.
func callers(pairs []Pair, k key) []string {
	var out []string
	seen := map[string]bool{k.function: true}
	for at := k.function; ; {
		votes := map[string]float64{}
		for _, p := range pairs {
			for _, t := range []Table{p.Before[k.metric], p.After[k.metric]} {
				if c, ok := t.By[at]; ok && c.Within != "" {
					votes[c.Within] += c.All
				}
			}
		}
		next := ""
		for _, f := range slices.Sorted(maps.Keys(votes)) {
			if next == "" || votes[f] > votes[next] {
				next = f
			}
		}
		if next == "" || seen[next] {
			return out
		}
		seen[next] = true
		out, at = append(out, next), next
	}
}

// changes returns the rows.
func (a *attribution) changes() []unpark.FunctionChange {
	out := []unpark.FunctionChange{}
	a.findMoves()
	for _, c := range a.all {
		if !c.called || c.inclusive {
			continue
		}
		row := c.change()
		k := key{c.metric, c.function}
		if to, ok := a.gone[k]; ok {
			row.Verdict, row.Moved = moved, to
		} else {
			a.tell(k, c.centre())
		}
		out = append(out, row)
	}
	// The innermost first: what is told there explains what holds it.
	outwards := slices.Clone(a.all)
	slices.SortStableFunc(outwards, func(x, y column) int {
		return cmp.Compare(len(a.within[key{y.metric, y.function}]), len(a.within[key{x.metric, x.function}]))
	})
	for _, c := range outwards {
		k := key{c.metric, c.function}
		if !c.called || !c.inclusive || a.explained(k, c.centre()) {
			continue
		}
		a.tell(k, c.centre())
		out = append(out, c.change())
	}
	slices.SortStableFunc(out, bySize)
	return out
}

// tell notes a change at a function and at all that hold it.
func (a *attribution) tell(k key, change float64) {
	a.told[k] = append(a.told[k], change)
	for _, f := range a.within[k] {
		up := key{k.metric, f}
		a.told[up] = append(a.told[up], change)
	}
}

// explained reports whether rows of functions inside make up at least half of a change.
func (a *attribution) explained(k key, change float64) bool {
	sum := 0.0
	for _, v := range a.told[k] {
		sum += v
	}
	return sum*change > 0 && math.Abs(sum) >= explains*math.Abs(change)
}

// findMoves pairs own costs that shrank with some that grew: where the nearest function that holds both costs what it
// did, nothing changed but the place. So it is with a function that was renamed, split, or folded into its caller.
func (a *attribution) findMoves() {
	for _, down := range a.all {
		if !down.called || down.inclusive || down.centre() > 0 {
			continue
		}
		from := key{down.metric, down.function}
		for _, up := range a.all {
			to := key{up.metric, up.function}
			if !up.called || up.inclusive || up.centre() < 0 || up.metric != down.metric || a.gone[to] != "" {
				continue
			}
			if holder, ok := a.holder(from, to); ok && stays(holder, down, up) {
				a.gone[from], a.gone[to] = up.function, down.function
				break
			}
		}
	}
}

// stays reports whether the function that holds both costs what it did: its own change was not called, and is small
// beside those of the two.
func stays(holder, down, up column) bool {
	least := min(-down.centre(), up.centre())
	return !holder.called && math.Abs(holder.centre()) < stayed*least && math.Abs(down.centre()+up.centre()) < explains*max(-down.centre(), up.centre())
}

// holder returns the inclusive cost of the nearest function that holds both.
func (a *attribution) holder(x, y key) (column, bool) {
	of := func(k key) []string { return append([]string{k.function}, a.within[k]...) }
	mine := of(x)
	for _, f := range of(y) {
		if slices.Contains(mine, f) {
			c, ok := a.inclusive[key{x.metric, f}]
			return c, ok
		}
	}
	return column{}, false
}
