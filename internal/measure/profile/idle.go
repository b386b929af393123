package profile

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// directFrames is how many frames may lie between a wait and the start of its
// goroutine for the wait to be the goroutine's own loop: the function that go was
// given, and the one that it calls.
const directFrames = 2

// parked reports whether the stack waits for work. Entry is its outermost
// application frame, −1 when it has none.
func (s stack) parked(w wait, entry int) bool {
	for i, f := range s.facts {
		if f.Is(roles.Park) && !s.handles(i) && !slices.ContainsFunc(s.facts[:i], func(g *fact) bool { return f.Busy(g.Function) }) {
			return true
		}
		if s.rank(i) != rankNone && !s.listens(i) {
			break
		}
	}
	if s.serves() {
		return false
	}
	if slices.ContainsFunc(s.facts[max(0, len(s.facts)-2):], func(f *fact) bool { return f.Is(roles.Start) }) {
		return true
	}
	switch w.base {
	case unpark.WaitNetwork:
		// The peer has nothing to say. Writing is another matter.
		return s.some(func(f *fact) bool { return f.Is(roles.Read) || f.Is(roles.Accept) })
	case unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitSleep:
		reads := entry >= 0 && s.c.conns[s.sites[entry].Function]
		return w.receives && !reads && s.direct()
	}
	return false
}

// listens reports whether a frame is the Accept of a listener that a server's loop calls: what waits in that itself waits
// for a connection, whichever module the listener is of. What Accept calls to wait, such as for a place among the open
// connections, is another matter.
func (s stack) listens(i int) bool {
	return i+1 < len(s.facts) && s.facts[i].Is(roles.Listens) && s.facts[i+1].Is(roles.Park)
}

// handles reports whether a handler of a request is what called a frame: it waits for that,
// whatever else the same function does on goroutines of its own.
func (s stack) handles(i int) bool {
	return slices.ContainsFunc(s.facts[i+1:], func(f *fact) bool { return f.Is(roles.Handler) })
}

// connection reports whether a goroutine that idles belongs to an open connection: it
// reads from one, or is beside one that does. The reader of net/http's client that
// waits for an answer's body to be read (net/http/transport.go: readLoop, in a select)
// does neither: a body that is never closed keeps it for ever.
func (s stack) connection(w wait) bool {
	return s.some(func(f *fact) bool {
		return f.Connection || w.base == unpark.WaitNetwork && f.Is(roles.Read)
	})
}

// direct reports whether the goroutine waits in its own loop.
func (s stack) direct() bool {
	n := 0
	for _, f := range s.facts {
		switch {
		case f.low && n == 0, f.Is(roles.Starter):
		default:
			n++
		}
	}
	return n <= directFrames
}
