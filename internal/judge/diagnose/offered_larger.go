package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/unpark-go/unpark"
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
		return (strings.HasPrefix(kind, "int") || strings.HasPrefix(kind, "uint")) && slices.ContainsFunc(wordsOf(o.Name), func(w string) bool { return slices.Contains(roomy, w) })
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

// wordsOf is the words of a name, in lower case: MaxInFlight is max, in and flight.
func wordsOf(name string) []string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && !strings.HasSuffix(b.String(), " ") {
			b.WriteByte(' ')
		}
		if r == '.' || r == '_' {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

// turningPages is advice to get more by each call of what lists things.
func turningPages(o unpark.Offer) unpark.Remedy {
	r := offering([]unpark.Offer{o})
	r.Title = fmt.Sprintf("Get more per page: set %s of %s as large as the other side allows, where %s is called for one page after the other", o.Name, lastOf(o.Package), o.By)
	r.Risk = "a page that is larger takes longer, and more memory at both ends"
	return r
}
