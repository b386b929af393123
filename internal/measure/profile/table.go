package profile

import (
	"strings"

	"github.com/unpark-go/unpark"
)

// role is what a table says of a function.
type role uint8

const (
	// roleObserver: a stack with this frame exists because somebody profiles.
	roleObserver role = iota + 1
	// roleNot excepts a function from a wider observer pattern.
	roleNot
	// roleRequest: everything below this frame serves a request.
	roleRequest
	// rolePark: a goroutine that waits directly below this frame waits for work.
	rolePark
	// roleBackground: everything below this frame is housekeeping.
	roleBackground
	// roleWait: this frame of Go itself is a wait of the class.
	roleWait
	// roleClass: a wait below this frame is of this class instead.
	roleClass
	// roleFramework: a package that is nobody's application.
	roleFramework
	// roleInTurn: the goroutine serves one request after the other and parks in
	// between; roleOne: it lives for one request; roleMany: it moves the frames of
	// many requests at once. See Catalogue.Serving.
	roleInTurn
	roleOne
	roleMany
)

// entry is one row of a table. Pattern is a symbol as canonical writes it, or a
// prefix that ends in "*". Why says what the function does and where that can be
// read.
type entry struct {
	pattern string
	role    role
	class   unpark.WaitClass // roleWait, roleClass
	recv    bool             // roleWait: it waits to be given something
	unless  []string         // rolePark: patterns of frames below that mean work
	conn    bool             // rolePark: there is one for each open connection, whatever it waits on
	why     string
}

// tables returns every row.
func tables() []entry {
	var all []entry
	for _, t := range [...][]entry{
		waitTable(), observerTable(), stdServerTable(), http2Table(), serverTable(),
		poolTable(), downstreamTable(), backgroundTable(), frameworkTable(), servingTable(),
	} {
		all = append(all, t...)
	}
	return all
}

// rows makes one row for each pattern.
func rows(r role, class unpark.WaitClass, why string, patterns ...string) []entry {
	out := make([]entry, len(patterns))
	for i, p := range patterns {
		out[i] = entry{pattern: p, role: r, class: class, why: why}
	}
	return out
}

// ofConnection marks parking places of which each open connection has one.
func ofConnection(all []entry) []entry {
	for i := range all {
		all[i].conn = true
	}
	return all
}

// matches reports whether a canonical symbol fits a pattern.
func matches(pattern, symbol string) bool {
	if p, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(symbol, p)
	}
	return pattern == symbol
}

// index finds the rows of a symbol.
type index struct {
	exact    map[string][]entry
	prefixes []entry
}

func newIndex(all []entry) *index {
	ix := &index{exact: make(map[string][]entry)}
	for _, e := range all {
		if strings.HasSuffix(e.pattern, "*") {
			ix.prefixes = append(ix.prefixes, e)
			continue
		}
		ix.exact[e.pattern] = append(ix.exact[e.pattern], e)
	}
	return ix
}

func (ix *index) find(symbol string) []entry {
	out := append([]entry(nil), ix.exact[symbol]...)
	for _, e := range ix.prefixes {
		if matches(e.pattern, symbol) {
			out = append(out, e)
		}
	}
	return out
}
