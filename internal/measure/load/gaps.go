package load

// shortestGap is below what any scheduler does to a thread.
const shortestGap = 1_000_000

// gaps remembers when the generator itself stood still: it had a connection free,
// and yet did not look at its schedule for a while. An arrival that was due in a
// gap waited for the generator until the gap's end, also when by then so many were
// due that it had to wait for a connection as well: without the gap there would
// have been one.
type gaps struct {
	idleSince int64 // when the last look was over, with a connection free; never: none was
	recent    [32]gap
	n         int // of all
}

type gap struct{ from, to int64 }

// rest ends a look. Free says that a connection waits for the next arrival.
func (g *gaps) rest(now int64, free bool) {
	g.idleSince = never
	if free {
		g.idleSince = now
	}
}

// look begins one.
func (g *gaps) look(now int64) {
	if g.idleSince < now-shortestGap {
		g.recent[g.n%len(g.recent)] = gap{g.idleSince, now}
		g.n++
	}
	g.idleSince = never
}

// lost is how long an arrival that was due at an instant waited for the generator
// to look.
func (g *gaps) lost(due int64) int64 {
	for i := max(0, g.n-len(g.recent)); i < g.n; i++ {
		if at := g.recent[i%len(g.recent)]; due >= at.from && due < at.to {
			return at.to - due
		}
	}
	return 0
}
