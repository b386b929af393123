package exectrace

import (
	"strconv"

	"golang.org/x/exp/trace"
)

// maxPlaces bounds the places of one request that are told apart.
const maxPlaces = 512

// request is a request under way. Nil is none; adding to it does nothing.
type request struct {
	Request
	active   bool // it did more than read the connection it came by, or close it
	observer bool // profiling itself: no request of the service
}

func (r *request) add(s State, stack int32, d int64) {
	if r == nil {
		return
	}
	for i := len(r.Spent) - 1; i >= 0; i-- {
		if e := &r.Spent[i]; e.State == s && e.Stack == stack {
			e.Time += d
			return
		}
	}
	if len(r.Spent) == maxPlaces {
		s, stack = Unknown, 0
		for i := range r.Spent {
			if r.Spent[i].State == Unknown {
				r.Spent[i].Time += d
				return
			}
		}
	}
	r.Spent = append(r.Spent, Spent{s, stack, d})
}

func (r *request) blame(edge int32, d int64) {
	if r == nil || d <= 0 {
		return
	}
	for i := len(r.Waits) - 1; i >= 0; i-- {
		if e := &r.Waits[i]; e.Edge == edge {
			e.Time += d
			return
		}
	}
	r.Waits = append(r.Waits, Blame{edge, d})
}

// begin returns a request that begins now.
func (f *follower) begin(route string) *request {
	var r *request
	if n := len(f.spare); n > 0 {
		r, f.spare = f.spare[n-1], f.spare[:n-1]
		*r = request{Request: Request{Spent: r.Spent[:0], Waits: r.Waits[:0]}}
	} else {
		r = &request{}
	}
	r.Start, r.Route = f.now, route
	return r
}

// drop forgets a request.
func (f *follower) drop(r *request) {
	if r != nil {
		f.spare = append(f.spare, r)
	}
}

// finish ends a request now.
func (f *follower) finish(k *keeper, r *request) {
	r.Wall = f.now - r.Start
	r.Start -= f.first
	if r.observer || !k.keep(r) {
		f.drop(r)
	}
}

// created is told the stack that a new goroutine begins with. A goroutine that
// lives for one request begins with it.
func (f *follower) created(g *goroutine, stack int32) {
	f.learn(g, stack)
	if g.serving == PerRequest {
		g.inferred = f.begin("")
		g.inferred.active = true
	}
}

// learn takes from a stack what its goroutine is for.
func (f *follower) learn(g *goroutine, stack int32) {
	if s := f.stacks.info(stack).mean.Serving; s != NoRequest && !g.learned {
		g.serving, g.learned = s, true
	}
}

// called is told of every wait and system call when it begins. A goroutine that
// serves one request after the other begins a new one where it reads the next, and
// it reads without a wait when that is there already.
func (f *follower) called(g *goroutine, stack int32) {
	m := &f.stacks.info(stack).mean
	if m.Observe {
		g.observed()
		return
	}
	f.learn(g, stack)
	if g.serving != PerLoop {
		return
	}
	switch {
	case m.Idle && m.Serving != PerLoop: // it serves many at once from here on
		f.drop(g.inferred)
		g.serving, g.inferred = NoRequest, nil
	case m.Idle:
		f.boundary(g)
	case m.Works && g.inferred != nil:
		g.inferred.active = true
	}
}

func (g *goroutine) observed() {
	for _, r := range [...]*request{g.exact, g.inferred} {
		if r != nil {
			r.observer = true
		}
	}
}

// boundary ends what a goroutine served, and begins the next.
func (f *follower) boundary(g *goroutine) {
	if r := g.inferred; r != nil && r.active {
		f.finish(&f.inferred, r)
	} else {
		f.drop(r)
	}
	g.inferred = f.begin("")
}

// resumes begins a request when what a goroutine has waited for is there.
func (f *follower) resumes(g *goroutine) {
	if g.serving != PerLoop {
		return
	}
	f.drop(g.inferred)
	g.inferred = f.begin("")
}

// ended is told that a goroutine has returned.
func (f *follower) ended(g *goroutine) {
	if r := g.inferred; r != nil && r.active {
		f.finish(&f.inferred, r)
	} else {
		f.drop(r)
	}
	f.drop(g.exact)
	g.exact, g.inferred = nil, nil
}

// marked begins a request that the middleware marks, unmarked ends it.
func (f *follower) marked(id trace.GoID, route string) {
	g := f.live[id]
	if g == nil || g.exact != nil {
		return
	}
	f.cut(g)
	g.exact = f.begin(route)
	g.exact.active = true
}

func (f *follower) unmarked(id trace.GoID) {
	g := f.live[id]
	if g == nil || g.exact == nil {
		return
	}
	f.cut(g)
	f.finish(&f.exact, g.exact)
	g.exact = nil
}

// aged is told how old a marked request was when its handler began.
func (f *follower) aged(id trace.GoID, message string) {
	age, err := strconv.ParseInt(message, 10, 64)
	if g := f.live[id]; err == nil && age >= 0 && g != nil && g.exact != nil {
		g.exact.Before = age
	}
}

// cut books the running state of a goroutine up to now.
func (f *follower) cut(g *goroutine) {
	s, stack := g.state, g.stack
	f.leave(g)
	f.enter(g, s, stack)
}

// trace returns what was found.
func (f *follower) trace() *Trace {
	t := &Trace{
		Seconds: f.seconds(), Events: f.events, Stacks: f.stacks.sites(), Uses: f.uses, Edges: f.edges.list,
		Exact: f.exact.requests(), Inferred: f.inferred.requests(),
	}
	for len(t.Uses) < len(t.Stacks) {
		t.Uses = append(t.Uses, Use{})
	}
	for _, g := range f.live {
		f.unfinished(&t.Exact, g.exact)
		f.unfinished(&t.Inferred, g.inferred)
	}
	return t
}

func (f *follower) unfinished(rs *Requests, r *request) {
	if r == nil || !r.active || r.observer {
		return
	}
	rs.Unfinished++
	rs.Oldest = max(rs.Oldest, f.now-r.Start)
}
