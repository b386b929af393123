package dump

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/roles"
)

// gather says that goroutines only gather at a place: they came in at least half
// of the intervals between dumps and in two of them, some stayed, and none that
// had stayed for a second dump ever left. A busy place has goroutines that leave
// as old as they come.
type gather struct {
	first, last int
	settled     int // came after the first dump, and were seen again
}

// gathers counts how a place grew; false when it did not only grow.
func (s *settled) gathers(at *place, members []*member) (gather, bool) {
	n := s.dumps()
	if n < fewest || at.settledWent > 0 || !at.collects() || at.observer() || at.label.Connection || at.label.Side == unpark.RuntimeSide || at.named {
		return gather{}, false
	}
	counts := s.series(at)
	g := gather{first: counts[0], last: len(members)}
	arrivals := make(map[int]bool)
	for _, m := range members {
		if m.since > 0 {
			arrivals[m.since] = true
		}
		if m.born > 0 && m.seen > 1 {
			g.settled++
		}
	}
	return g, g.settled > 0 && len(arrivals) >= 2 && 2*len(arrivals) >= n-1 && g.last > g.first
}

// leak makes the candidate of a place, if it is one.
func (s *settled) leak(at *place, members []*member) *unpark.WatchLeak {
	g, grows := s.gathers(at, members)
	proven := at.leaked
	for _, m := range members { // another reader of the profile may have marked them
		if m.leaked && at.leaked == 0 {
			proven++
		}
	}
	if !grows && proven == 0 {
		return nil
	}
	counts := s.series(at)
	l := &unpark.WatchLeak{
		Certainty: unpark.Likely, State: at.state, Site: at.site, Created: at.created,
		First: counts[0], Last: max(len(members), proven), Leaked: proven, Stack: clip(at.stack), Oldest: oldest(members),
		Why: sentence("%s came after the first dump and stayed, and none that had stayed left", counted(g.settled, "goroutine")),
	}
	if span := s.span(); span > 0 {
		l.PerSecond = unpark.Num(float64(len(members)-l.First) / span)
	}
	if proven > 0 {
		l.Certainty = unpark.Proven
		l.Why = "the goroutineleak profile: nothing that runs can reach what they wait on"
	}
	return l
}

// oldest returns the longest time that one of some goroutines has not moved.
func oldest(members []*member) unpark.Number {
	var out unpark.Number
	for _, m := range members {
		if m.seconds >= out.Or(0) {
			out = unpark.Num(m.seconds)
		}
	}
	return out
}

// leaks joins a goroutineleak profile with the places of a process. Places that
// no dump had are added.
func (p *process) leaks(leaked *profile.Profile) {
	counts := make(map[string]int)
	stacks := make(map[string][]unpark.Site)
	for _, sample := range leaked.Samples() {
		var key []byte
		for _, s := range withoutEnds(sample.Stack) {
			key = appendSite(key, s)
		}
		counts[string(key)] += int(sample.Value)
		stacks[string(key)] = withoutEnds(sample.Stack)
	}
	now := make(map[*place]int)
	for _, t := range p.tracks {
		now[t.at]++
	}
	for key, left := range counts {
		if len(stacks[key]) == 0 || p.main(stacks[key]) {
			continue // nothing to show, or on purpose
		}
		for _, at := range p.places.all {
			if left > 0 && now[at] > 0 && slices.Equal(withoutEnds(at.stack), stacks[key]) {
				at.leaked = min(left, now[at])
				left -= at.leaked
			}
		}
		if left > 0 {
			p.unseen(stacks[key], left)
		}
	}
	for _, t := range p.tracks {
		t.leaked = t.leaked || t.at.leaked >= now[t.at]
	}
}

// main reports whether a stack is the main goroutine's.
func (p *process) main(stack []unpark.Site) bool {
	return slices.ContainsFunc(p.places.all, func(at *place) bool { return at.main() && slices.Equal(withoutEnds(at.stack), stack) })
}

// unseen adds a place that is only in the goroutineleak profile.
func (p *process) unseen(stack []unpark.Site, n int) {
	g := goroutine{state: "leaked"}
	for _, s := range stack {
		g.frames = append(g.frames, frame{site: s})
	}
	if n := len(g.frames); n > 0 {
		// A profile has no go statement: the function that the goroutine began with
		// stands for it.
		g.created = unpark.Site{Function: g.frames[n-1].site.Function}
	}
	at := p.places.of(&g)
	at.leaked += n
}

// withoutEnds drops the frames of the runtime that a profile has and a dump has
// not.
func withoutEnds(stack []unpark.Site) []unpark.Site {
	hidden := func(s unpark.Site) bool { return roles.Is(s.Function, roles.Runtime) }
	for len(stack) > 0 && hidden(stack[0]) {
		stack = stack[1:]
	}
	for len(stack) > 0 && hidden(stack[len(stack)-1]) {
		stack = stack[:len(stack)-1]
	}
	return stack
}
