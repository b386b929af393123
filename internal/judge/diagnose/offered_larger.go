package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// roomy are the words of settings of how many there may be.
var roomy = []string{"max", "maximum", "limit", "capacity", "size", "workers", "concurrency", "concurrent", "buffer", "places", "pool", "backlog", "conns", "connections", "burst", "inflight", "parallelism", "permits", "tokens"}

// larger is what is said of settings: of how many there may be, where requests wait for one another, that more may help, and of how long something is
// waited for that it may be shorter.
func larger(of []unpark.Offer) string {
	waits := func(o unpark.Offer) bool {
		return o.Class == unpark.ClassChannel || o.Class == unpark.ClassPool || o.Class == unpark.ClassRateLimit
	}
	number := func(o unpark.Offer) bool {
		kind := strings.TrimLeft(o.Type, "*")
		return (strings.HasPrefix(kind, "int") || strings.HasPrefix(kind, "uint")) && slices.ContainsFunc(unpark.Words(o.Name[strings.LastIndexByte(o.Name, '.')+1:]), func(w string) bool { return slices.Contains(roomy, w) })
	}
	long := func(o unpark.Offer) bool { return strings.HasSuffix(o.Type, "Duration") }
	all := func(is func(unpark.Offer) bool) bool {
		return !slices.ContainsFunc(of, func(o unpark.Offer) bool { return !waits(o) || !is(o) })
	}
	switch {
	case all(number):
		return "larger setting"
	case all(long):
		return "shorter setting"
	}
	return "setting"
}

// turningPages is advice to get more by each call of what lists things.
func turningPages(o unpark.Offer) unpark.Remedy {
	r := offering([]unpark.Offer{o})
	r.Title = fmt.Sprintf("Get more per page: set %s of %s as large as the other side allows, where %s is called for one page after the other", o.Name, lastOf(o.Package), o.By)
	r.Risk = "a page that is larger takes longer, and more memory at both ends"
	return r
}

// widening is advice to raise that of which the channel at a wait has its capacity.
func widening(of []unpark.Offer) unpark.Remedy {
	var names []string
	for _, o := range of {
		names = append(names, o.Name)
	}
	r := offering(of)
	r.Title = fmt.Sprintf("Raise %s of %s: the channel that %s waits at has its capacity from it", strings.Join(names, " or "), lastOf(of[0].Package), of[0].By)
	r.Risk = "where those that have a place of it wait for the same thing further on, more of them wait there"
	return r
}

// moreWorkers is advice to raise the number of goroutines that serve requests.
func moreWorkers(of []unpark.Offer) unpark.Remedy {
	var names []string
	for _, o := range of {
		names = append(names, o.Name)
	}
	r := offering(of)
	r.Title = fmt.Sprintf("Raise %s of %s: as many goroutines of %s serve requests, one after another", strings.Join(names, " or "), lastOf(of[0].Package), short(roles.Outer(of[0].At)))
	if by := of[0].By; by != "" {
		r.Title = fmt.Sprintf("Raise %s of %s: as many goroutines are at the other end of the channel that %s waits at", strings.Join(names, " or "), lastOf(of[0].Package), by)
	}
	r.Risk = "what they wait for is asked for by as many at once; nothing but its place in the source was read: its documentation says what else it does"
	return r
}
