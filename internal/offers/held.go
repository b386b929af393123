package offers

import (
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

// heldFor is the settings that decide whether that is done at all which a module's lock is held for: a trace has the line at which those wait that
// have it, for a sync as a rule, which is no line of the stack of those that queue.
func heldFor(r *Reader, f unpark.Finding) []found {
	if f.Class != unpark.ClassLock || f.Culprit == nil || f.Culprit.Line == 0 {
		return nil
	}
	p := r.of(*f.Culprit)
	if p == nil {
		return nil
	}
	d := p.funcs[local(f.Culprit.Function)]
	if d == nil || d.Body == nil {
		return nil
	}
	var out []found
	known, g := p.known(), guardsAt(p, d, "", *f.Culprit)
	for _, read := range slices.Sorted(maps.Keys(g.names)) {
		if g.callee == "" || refuses(d, read) {
			continue
		}
		for _, s := range known[read] {
			off := slices.ContainsFunc(s.words(), func(w string) bool { return slices.Contains(without, w) })
			if !g.names[read] && !off {
				continue // it is for something else, after which this is not reached
			}
			if score, ok := guards(unpark.ClassIO, s, g.names[read]); ok {
				out = append(out, found{setting: s, at: f.Culprit.Function, by: nameOf(d), calls: g.callee, on: g.names[read], score: score})
				break // what else sets the same is another way to it
			}
		}
	}
	return out
}
