package exectrace

import "strconv"

// cutter cuts the life of goroutines into requests: into those that the middleware
// marks, and those that can be inferred.
type cutter struct {
	sched           *scheduler
	exact, inferred keeper
	spare           []*request // to be used again
	order           int        // Options.Order
}

// begin returns a request that begins now.
func (c *cutter) begin(route string) *request {
	var r *request
	if n := len(c.spare); n > 0 {
		r, c.spare = c.spare[n-1], c.spare[:n-1]
		*r = request{Request: Request{Spent: r.Spent[:0], Order: r.Order[:0], Waits: r.Waits[:0]}}
	} else {
		r = &request{}
	}
	r.Start, r.Route, r.order = c.sched.now, route, c.order
	return r
}

// drop forgets a request.
func (c *cutter) drop(r *request) {
	if r != nil {
		c.spare = append(c.spare, r)
	}
}

// finish ends a request now.
func (c *cutter) finish(k *keeper, r *request) {
	r.Wall = c.sched.now - r.Start
	if r.observer || !k.keep(r) {
		c.drop(r)
	}
}

// created is told what the stack means that a new goroutine begins with. A goroutine
// that lives for one request begins with it.
func (c *cutter) created(g *goroutine, m *Meaning) {
	g.learn(m)
	if g.serving == PerRequest {
		g.inferred = c.begin("")
		g.inferred.active = true
	}
}

// called is told of every wait and system call when it begins. A goroutine that
// serves one request after the other begins a new one where it reads the next, and
// it reads without a wait when that is there already.
func (c *cutter) called(g *goroutine, m *Meaning) {
	if m.Observe {
		g.observes()
		return
	}
	g.learn(m)
	if g.serving != PerLoop {
		return
	}
	switch {
	case m.Idle && m.Serving != PerLoop: // it serves many at once from here on
		c.drop(g.inferred)
		g.serving, g.inferred = NoRequest, nil
	case m.Idle:
		c.end(g)
		g.inferred = c.begin("")
	case m.Works && g.inferred != nil:
		g.inferred.active = true
	}
}

// end ends the request that was inferred for a goroutine, if it did any work for it.
func (c *cutter) end(g *goroutine) {
	if r := g.inferred; r != nil && r.active {
		c.finish(&c.inferred, r)
	} else {
		c.drop(r)
	}
}

// resumes begins a request when what a goroutine has waited for is there.
func (c *cutter) resumes(g *goroutine) {
	if g.serving != PerLoop {
		return
	}
	c.drop(g.inferred)
	g.inferred = c.begin("")
}

// returned is told that a goroutine has ended.
func (c *cutter) returned(g *goroutine) {
	c.end(g)
	c.drop(g.exact)
	g.exact, g.inferred = nil, nil
}

// marked begins a request that the middleware marks, unmarked ends it. A goroutine
// that is not known is nil.
func (c *cutter) marked(g *goroutine, route string) {
	if g == nil || g.exact != nil {
		return
	}
	c.sched.settle(g)
	g.exact = c.begin(route)
	g.exact.active = true
}

func (c *cutter) unmarked(g *goroutine) {
	if g == nil || g.exact == nil {
		return
	}
	c.sched.settle(g)
	c.finish(&c.exact, g.exact)
	g.exact = nil
}

// aged is told how old a marked request was when its handler began, as the middleware
// wrote it down, in ns.
func (c *cutter) aged(g *goroutine, age string) {
	ns, err := strconv.ParseInt(age, 10, 64)
	if err == nil && ns >= 0 && g != nil && g.exact != nil {
		g.exact.Before = ns
	}
}

// named is told which trace of the load a marked request belongs to.
func (c *cutter) named(g *goroutine, trace string) {
	if g != nil && g.exact != nil && len(trace) <= maxTrace {
		g.exact.Trace = trace
	}
}

// requests returns what was found.
func (c *cutter) requests() (exact, inferred Requests) {
	exact, inferred = c.exact.requests(), c.inferred.requests()
	for _, g := range c.sched.live {
		exact.Unfinished += g.exact.counts()
		inferred.Unfinished += g.inferred.counts()
	}
	return exact, inferred
}
