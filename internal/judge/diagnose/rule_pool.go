package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

func poolRule() Rule {
	return Rule{
		ID: "pool", Title: "connection pool", Class: unpark.ClassPool,
		Doc: "Reads three signs. Requests that wait for a place in a bounded pool (database/sql, http.Transport with " +
			"MaxConnsPerHost, a semaphore): from a hundredth of a request's time. A fixed few goroutines that serve all requests, one after another, and " +
			"always wait, while half as many requests more are under way. And connections that are not reused: " +
			"dialling, TLS handshakes or accepting take 3 % of the CPU and 5 µs of it per request. Silent for a few dials at start.",
		Needs:      []unpark.Kind{unpark.KindBlock, unpark.KindCPU},
		Run:        runPool,
		Supersedes: []Supersession{{Rule: "lock", Same: insideTransport}, {Rule: "downstream", Same: overNew}, {Rule: "downstream", Same: insideLoop}, {Rule: "io", Same: insideLoop}, {Rule: "cpu", Same: insidePlace}, {Rule: "cpu", Same: mostlyOpens}},
	}
}

func runPool(m *model.Model) []unpark.Finding {
	out := dialled(m)
	churned := len(out) > 0
	for _, p := range m.Pool {
		if churned && forOpening(p) {
			continue // it waits for the dial: one cause, already reported
		}
		if felt(m, p) && !p.Starved && len(out) < maxOfRule {
			out = append(out, poolFinding(m, p))
		}
	}
	if len(out) == 0 {
		out = accepted(m)
	}
	return out
}

func poolFinding(m *model.Model, p model.Wait) unpark.Finding {
	f := finding(m, "pool", unpark.ClassPool, p)
	switch {
	case p.Loops:
		f.Title, f.Remedies = loopWait(p)
		f.Share, f.ShareOf = m.Share(p.Delay), requestTime // no profile has it
	case opened(p):
		f.Title, f.Remedies = "Connections are not reused: requests wait in "+short(p.Function())+" for new ones", dialRemedies(m)
	default:
		f.Title, f.Remedies = poolWait(p.Heaviest)
		f.Title += alsoIn(p)
		if holdersWait(m, p) || fewPlaces(m, p) {
			slices.Reverse(f.Remedies) // more places first
		}
		f.Remedies = slices.Insert(f.Remedies, 1, wakeOne(m, p)...)
		blamePlace(m, &f, p)
		f.Remedies = append(askOutside(m, p), f.Remedies...)
	}
	return f
}

// wakeOne is what the catalogue knows of waking all for a place that one of them can have.
func wakeOne(m *model.Model, p model.Wait) []unpark.Remedy {
	if !p.InVain {
		return nil
	}
	for _, e := range m.Edges([]unpark.WaitClass{p.Heaviest.Class}, p.Function()) {
		i := slices.IndexFunc(e.HolderStack, func(s unpark.Site) bool { return roles.Is(s.Function, roles.Broadcast) })
		if i < 0 {
			continue
		}
		for _, a := range advice.For(advice.Case{Class: string(unpark.ClassPool), Stack: []string{e.HolderStack[i].Function}, Go: m.Ev.Target.Go}) {
			return []unpark.Remedy{remedyOf(a)}
		}
	}
	return nil
}

// fewPlaces reports whether those that have a place cannot use all processors, whatever they do, which are not short:
// there are fewer of them. What has a connection waits for the other side.
func fewPlaces(m *model.Model, p model.Wait) bool {
	allowed, ok := m.Allowed.Get()
	connection := roles.On(p.Heaviest.Stack, roles.Database) || roles.On(p.Heaviest.Stack, roles.Transport)
	return ok && !connection && p.Busy > 0 && p.Busy < allowed && !m.Scarce() && !m.MachineFull()
}

// alsoIn names the largest of the other functions in which requests wait for the same.
func alsoIn(p model.Wait) string {
	switch n := len(p.Beside); n {
	case 0:
		return ""
	case 1:
		return " and in " + short(p.Beside[0].Function())
	default:
		return fmt.Sprintf(" and in %s and %d more", short(p.Beside[0].Function()), n-1)
	}
}

// moreLoops is general advice on goroutines that are too few.
const moreLoops = "Run more of these loops (or readers), as many as requests are to be under way"

// loopWait is for goroutines that serve one request after another.
func loopWait(p model.Wait) (string, []unpark.Remedy) {
	loop, where := short(p.Within), short(p.Function())
	return fmt.Sprintf("%s of %s serve all requests, one after another, and wait in %s", unpark.Counted(int64(p.Busy), "goroutine"), loop, where), []unpark.Remedy{{
		Title: "Do what waits on a goroutine of its own, or on a pool of workers, and answer from there: " + loop + " must never block",
		Why:   "while it waits for one request, all others of its connections wait behind, in no goroutine that a profile could show",
		Risk:  "answers may overtake each other: keep the order where a protocol needs it, and bound the workers",
	}, {
		Title: moreLoops,
		Why:   "each serves one request at a time",
		Risk:  "more threads and goroutines, and no bound on what is asked of others at once",
	}}
}

func poolWait(w facts.Wait) (string, []unpark.Remedy) {
	where := short(w.Waiter.Function)
	shorter := unpark.Remedy{
		Title: "Give it back sooner: close rows and bodies at once, keep transactions short, no other I/O in between",
		Why:   "a place is busy from taking to giving back; the pool serves size ÷ that time",
		Risk:  "",
	}
	switch {
	case roles.On(w.Stack, roles.Database):
		return "Requests wait for a database connection in " + where, []unpark.Remedy{shorter, {
			Title: "Raise SetMaxOpenConns, and SetMaxIdleConns with it (it keeps 2 by default)",
			Why:   "requests queue in database/sql.(*DB).conn because every open connection is in use",
			Risk:  "the database must bear the connections of all processes together",
		}}
	case roles.On(w.Stack, roles.Transport):
		return "Requests wait for a client connection in " + where, []unpark.Remedy{shorter, {
			Title: "Raise MaxConnsPerHost of the http.Transport, or leave it 0 (no bound)",
			Why:   "requests queue for a connection because MaxConnsPerHost are in use",
			Risk:  "the other side gets that many more connections at once",
		}}
	default:
		return "Requests wait for a place in a bounded pool in " + where, []unpark.Remedy{{
			Title: "Hold a place for less: take it after, and give it back before, what needs no bound",
			Why:   shorter.Why,
		}, {
			Title: "Raise the pool's size while CPU and the other side have room",
			Why:   "all places are taken",
			Risk:  "what the bound protected gets more at once",
		}}
	}
}

// churn reports the CPU that connections cost which are opened too often.
func churn(m *model.Model, what string, remedies []unpark.Remedy, ids ...facts.SignalID) []unpark.Finding {
	s, ok := heaviest(m, ids...)
	if !ok {
		return nil
	}
	share := m.CPUShare(s.CPU)
	cost := m.CPUCost(share)
	per, known := cost.CPUPerRequest.Value.Get()
	if share < churnShare || !known || per < churnPerRequest {
		return nil
	}
	f := unpark.Finding{
		Rule: "pool", Class: unpark.ClassPool, Site: s.Site, Share: unpark.Num(share), ShareOf: "the target's CPU",
		Confidence: unpark.Medium, Cost: cost, Path: path(s.Stack), Remedies: remedies,
		Title: fmt.Sprintf("Connections are not reused: %s", what),
		Facts: []unpark.Fact{fact("CPU for opening connections", s.CPU, "s", "cpu.pb.gz")},
	}
	opener(m, &f, s)
	// A connection that came back to a full idle pool is closed there.
	for _, signal := range m.Ev.Signals {
		if roles.On(signal.Stack, roles.KeepIdle) { // as cameBack
			f.Confidence = unpark.High
			f.Facts = append(f.Facts, fact("CPU for giving connections back to the idle pool", signal.CPU, "s", "cpu.pb.gz"))
			break
		}
	}
	dialWaits(m, &f)
	return []unpark.Finding{f}
}

// forOpening reports whether a wait is for a connection that is opened for it: a Transport
// waits for what its own goroutine dials.
func forOpening(p model.Wait) bool { return roles.On(p.Heaviest.Stack, roles.Transport) || opened(p) }

// opened reports whether the one that asks opens the connection itself: it waits for a socket
// below the pool's own call.
func opened(p model.Wait) bool {
	return roles.On(p.Heaviest.Stack, roles.Opening) && roles.On(p.Heaviest.Stack, roles.Socket)
}

// dialWaits adds what requests wait for their connections, and moves the site to
// the application's line: an http.Transport dials on a goroutine of its own.
func dialWaits(m *model.Model, f *unpark.Finding) {
	var delay, seen float64
	sources := map[string]float64{}
	for _, p := range slices.Concat(m.Pool, m.Downstream) {
		asks := p.Heaviest.Class == unpark.WaitPool && forOpening(p)
		if !asks && (!roles.On(p.Heaviest.Stack, roles.Dial) || elsewhere(m, p)) {
			continue
		}
		if delay == 0 && roles.Is(f.Site.Function, roles.Connect) {
			f.Site = p.Heaviest.Waiter
		}
		delay += p.Delay
		seen += p.Seen
		for source, v := range p.Sources {
			sources[source] += v
		}
	}
	if delay == 0 {
		return
	}
	f.Confidence = unpark.High // CPU profile and waits agree
	f.Cost.WaitPerRequest = m.WaitCost(delay, seen).WaitPerRequest
	for _, source := range mostFirst(sources) {
		f.Facts = append(f.Facts, fact("requests waited for a connection, summed", sources[source], "s", source))
	}
}

func dialRemedies(m *model.Model) []unpark.Remedy {
	waits := func(p model.Wait) bool { return roles.On(p.Heaviest.Stack, roles.Transport) }
	dials := func(s facts.Signal) bool { return s.ID == facts.SignalDial && roles.On(s.Stack, roles.Transport) }
	if !slices.ContainsFunc(m.Pool, waits) && !slices.ContainsFunc(m.Ev.Signals, dials) {
		return []unpark.Remedy{{
			Title: "Keep connections: raise the number of idle ones that the client's pool keeps to that of requests in flight",
			Why:   "a connection that comes back to a full idle pool is closed, and the next request opens one",
			Risk:  "idle connections hold descriptors here and on the other side",
		}}
	}
	out := []unpark.Remedy{{
		Title: "Read every response body to its end (io.Copy to io.Discard) and close it",
		Why:   "a connection with an unread body is not reused (net/http.Response.Body)",
		Risk:  "",
	}, {
		Title: "Use one http.Client for all requests, and raise MaxIdleConnsPerHost to the number of requests in flight",
		Why:   "the Transport keeps 2 idle connections a host by default (net/http.DefaultMaxIdleConnsPerHost) and closes the rest",
		Risk:  "idle connections hold descriptors here and on the other side; set IdleConnTimeout",
	}}
	switch {
	case keptApart(m):
		return []unpark.Remedy{{
			Title: "Use one http.Client, with one Transport, for all requests: connections are kept idle, and others are opened all the same",
			Why:   "a Transport keeps connections of its own, which no other finds: one that is made for a request leaves its connection, and two goroutines, behind (net/http.Transport)",
			Risk:  "of requests to very many hosts the idle ones may be to others: set IdleConnTimeout",
		}}
	case cameBack(m):
		slices.Reverse(out)
	}
	return out
}

// keptApart reports whether far more connections of Transports are open than there are requests to have them: these came back, read to the
// end, and were not found by those that open others.
func keptApart(m *model.Model) bool {
	var kept float64
	for _, g := range m.Ev.Goroutines {
		if g.Class == unpark.WaitNetwork && roles.On(g.Stack, roles.Exchange) {
			kept += g.Mean // each connection has one goroutine that reads
		}
	}
	return m.Load != nil && m.Mean > 0 && kept >= idleForEach*max(1, m.RPS*m.Mean)
}

// cameBack reports whether connections of a Transport were seen to come back to its idle ones. That is done once their
// bodies were read to the end (net/http/transport.go, persistConn.readLoop), so these are not opened for want of it.
func cameBack(m *model.Model) bool {
	gives := func(s facts.Signal) bool { return roles.On(s.Stack, roles.KeepIdle) }
	waits := func(l facts.Lock) bool { return l.Count > 0 && roles.Is(l.Waiter.Function, roles.KeepIdle) }
	return slices.ContainsFunc(m.Ev.Signals, gives) || slices.ContainsFunc(m.Ev.Locks, waits)
}

// accepted reports connections that are accepted too often. The load of a run keeps its own for as long as they are left open, so
// then it is the service that closes them.
func accepted(m *model.Model) []unpark.Finding {
	what, remedies := "callers open a connection for many of their requests", acceptRemedies()
	if m.Load != nil {
		what = "the service closes many after an answer, and each request that follows opens another"
		remedies[0] = unpark.Remedy{
			Title: "Leave connections open: keep-alives on (SetKeepAlivesEnabled), no Connection: close in answers, and an IdleTimeout longer than clients pause",
			Why:   "this load sends one request after the other over a connection until that is closed; opening one takes both sides several system calls, and TLS a handshake",
			Risk:  "idle connections hold a descriptor and a goroutine each; a balancer spreads fewer connections less evenly",
		}
	}
	return churn(m, what, remedies, facts.SignalAccept)
}

func acceptRemedies() []unpark.Remedy {
	return []unpark.Remedy{{
		Title: "Find the cause: a Connection: close header or disabled keep-alives here, or callers without a pool",
		Why:   "this process only accepts; the caller decides to dial, unless the server closes after each answer",
		Risk:  "",
	}, {
		Title: "In callers, raise MaxIdleConnsPerHost (2 by default) and read bodies to their end",
		Why:   "a Go client closes what does not fit its idle pool",
		Risk:  "",
	}}
}
