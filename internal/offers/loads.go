package offers

import (
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// What the names of settings are made of that say when something kept is asked for anew: before it is needed, or for how long it is kept.
var (
	ahead = words("early refresh refreshes revalidate stale prefetch preload ahead")
	until = words("ttl expiration expiry expire expires")
)

// loads is the settings of what calls the user's function to have from it what it keeps: a cache whose loader waits for another service
// says when that is asked, and whether a request waits meanwhile.
func (r *Reader) loads(f unpark.Finding, whole []unpark.Site) []found {
	if f.Class != unpark.ClassDownstream {
		return nil
	}
	inner := r.within(whole)
	seen := map[*source]bool{}
	var out []found
	for _, s := range whole[len(inner):] {
		p := r.of(s)
		of, _, _ := strings.Cut(local(s.Function), ".")
		if p == nil || seen[p] || !isCache(p, of) { // a middleware has times for other things
			continue
		}
		seen[p] = true
		known := p.settings()
		for _, name := range slices.Sorted(maps.Keys(known)) {
			for _, o := range known[name] {
				if score := renews(o); score > 0 && p.given(o) && !o.elsewhere() {
					out = append(out, found{setting: o, at: s.Function, score: score, read: name})
				}
			}
		}
	}
	return out
}

// renews says how well a setting is one of when something kept is asked for anew, first of all before it is needed; 0 of another. The
// fewer other words its name has, the better.
func renews(s setting) int {
	of := s.words()
	count := func(fit []string) (n int) {
		for _, w := range of {
			if slices.Contains(fit, w) {
				n++
			}
		}
		return n
	}
	early, long := count(ahead), count(until)
	if early+long == 0 {
		return 0
	}
	return max(1, 4*early+2*long-len(of))
}
