package roles

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/unpark-go/unpark"
)

// entry is one row of a table. Pattern is a symbol as canonical writes it, or a prefix
// that ends in "*". Why says what the function does and where that can be read.
type entry struct {
	pattern  string
	role     Role
	class    unpark.WaitClass // waits, waitBelow
	receives bool             // waits: to be given something
	unless   []string         // Park: patterns of frames below that mean work
	conn     bool             // Park: there is one for each open connection, whatever it waits on
	on       Primitive        // blocks: what its first argument points to
	why      string
}

// tables returns every row.
func tables() []entry {
	return slices.Concat(
		waitTable(), primitiveTable(), entryTable(), packageTable(), workTable(), observerTable(), backgroundTable(),
		stdServerTable(), http2Table(), fasthttpTable(), grpcTable(), serverTable(), frameworkTable(),
		poolTable(), downstreamTable(), clientTable(), eventTable(), useTable(), costTable(),
	)
}

// rows makes one row for each pattern.
func rows(r Role, why string, patterns ...string) []entry {
	return classed(r, "", why, patterns...)
}

// classed makes rows of a role that has a class of waits.
func classed(r Role, class unpark.WaitClass, why string, patterns ...string) []entry {
	out := make([]entry, len(patterns))
	for i, p := range patterns {
		out[i] = entry{pattern: p, role: r, class: class, why: why}
	}
	return out
}

// with returns rows that were changed.
func with(all []entry, change func(*entry)) []entry {
	for i := range all {
		change(&all[i])
	}
	return all
}

// unless adds the patterns of frames below a parking place that mean work.
func unless(patterns []string, all []entry) []entry {
	return with(all, func(e *entry) { e.unless = patterns })
}

// ofConnection marks parking places of which each open connection has one.
func ofConnection(all []entry) []entry {
	return with(all, func(e *entry) { e.conn = true })
}

// matches reports whether a symbol fits a pattern.
func matches(pattern, symbol string) bool {
	if p, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(symbol, p)
	}
	return pattern == symbol
}

// index finds rows.
type index struct {
	exact    map[string][]entry // by symbol
	prefixes map[string][]entry // by the first element of the import path
	patterns [Standard][]string // by role
}

// table is the index of all rows.
var table = sync.OnceValue(func() *index {
	ix := &index{exact: map[string][]entry{}, prefixes: map[string][]entry{}}
	for _, e := range tables() {
		ix.patterns[e.role] = append(ix.patterns[e.role], e.pattern)
		if strings.HasSuffix(e.pattern, "*") {
			k := first(e.pattern)
			ix.prefixes[k] = append(ix.prefixes[k], e)
			continue
		}
		ix.exact[e.pattern] = append(ix.exact[e.pattern], e)
	}
	return ix
})

// first returns the first element of a symbol's import path.
func first(symbol string) string {
	elem, _, path := strings.Cut(symbol, "/")
	if !path {
		elem, _, _ = strings.Cut(symbol, ".")
	}
	return elem
}

// find yields the rows that fit a symbol, those of prefixes last.
func (ix *index) find(symbol string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for _, e := range ix.exact[symbol] {
			if !yield(e) {
				return
			}
		}
		for _, e := range ix.prefixes[first(symbol)] {
			if matches(e.pattern, symbol) && !yield(e) {
				return
			}
		}
	}
}
