package evidence

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// peer is who sits at the other end of a connection that a handler reads by itself.
type peer uint8

const (
	elsewhere peer = iota // another service: the handler dialled
	nobody                // it cannot be told; nothing is said of the wait
	client                // the server's own client, after http.Hijacker.Hijack
)

const (
	connServe = "net/http.(*conn).serve"
	handler   = "net/http.serverHandler.ServeHTTP" // around every handler of a server
	// watcher watches for the client going away as long as a handler runs whose request
	// has no body or was read to its end (net/http/server.go: serve, startBackgroundRead).
	// Hijack ends it for good (hijackLocked: abortPendingRead).
	watcher = "net/http.(*connReader).backgroundRead"
	// unwatched is how many handlers must read for each watcher before they count as
	// unwatched: a client that pipelines ends its watcher early.
	unwatched = 2
	// leastServing is the CPU, in seconds, below which net/http reads no request and
	// finishes no answer: two system calls on a socket alone take this.
	leastServing = 2e-6
	// expectServing is the CPU, in seconds, that all requests must cost by that before its
	// absence tells anything: of ten samples none is missed by chance (e⁻¹⁰).
	expectServing = 0.1
	// hardlyServing is the part of it that a few health checks may take.
	hardlyServing = 0.1
)

// handedOver finds the connections that handlers took over from net/http. The stack of
// a handler that reads its client's next request after a Hijack is that of one which
// waits for an answer of somebody else, and so are the times: in a closed loop both
// wait for all of the window. Two signs tell them apart. Each request under way has a
// watcher, each connection taken over has none; and where nobody calls net/http's
// own loop between requests, no request is one of net/http's. Without the second, such
// reads are nobody's, and a notice says so.
func (r *reducer) handedOver() {
	reads, watchers := tally[string]{}, 0.0
	for _, instant := range r.instants {
		for _, s := range instant {
			if onStack(s.sites, watcher) {
				watchers += s.value
			}
			if r.readsItself(s) {
				reads.add(s.site().Function, s, s.value, 0)
			}
		}
	}
	for function, sum := range reads {
		if sum.value < minSnapshots || sum.value <= unwatched*watchers {
			continue
		}
		if r.peers == nil {
			r.peers = map[string]peer{}
		}
		r.peers[function] = nobody
		if r.passedBy() {
			r.peers[function] = client
		}
	}
	for _, instant := range r.instants {
		for i := range instant {
			if s := &instant[i]; r.readsItself(*s) {
				s.label = r.across(s.label, s.site())
			}
		}
	}
}

// readsItself reports whether a handler of net/http reads a connection for which no
// client library vouches: all that speaks for another service is that the server does
// not read its own connections there.
func (r *reducer) readsItself(s stack) bool {
	if s.label.Class != unpark.WaitDownstream || s.label.App < 0 || !onStack(s.sites, "internal/poll.(*FD).Read") || !onStack(s.sites, connServe) {
		return false
	}
	top := slices.IndexFunc(s.sites, func(f unpark.Site) bool { return f.Function == handler })
	if top < s.label.App {
		return false
	}
	without := r.catalogue.Label(unpark.KindGoroutine, slices.Concat(s.sites[:s.label.App], s.sites[top:]))
	return without.Class == unpark.WaitNetwork
}

// passedBy reports whether the requests of the window were answered past net/http: its
// own part of them, outside of handlers, is missing in the CPU profile.
func (r *reducer) passedBy() bool {
	requests, known := r.loaded().Get()
	expected := requests * leastServing
	if !known || !r.has(unpark.KindCPU) || expected < expectServing {
		return false
	}
	var own float64
	for _, s := range r.stacks[unpark.KindCPU] {
		if onStack(s.sites, connServe) && !onStack(s.sites, handler) {
			own += s.value
		}
	}
	return own <= hardlyServing*expected
}

// loaded is the number of requests that the load completed.
func (r *reducer) loaded() unpark.Number {
	if l := r.in.Window.Load; l != nil {
		return unpark.Num(float64(l.Requests))
	}
	return unpark.Number{}
}

// across changes the label of a read in a handler by who is at the other end.
func (r *reducer) across(l profile.Label, at unpark.Site) profile.Label {
	if p := r.peers[at.Function]; p != elsewhere {
		l.Class, l.Side, l.Idle = unpark.WaitNetwork, unpark.Background, p == client
	}
	return l
}

// meaning is [Meaning] with what dumps told of connections that were taken over: a read
// of the next request ends the one before.
func (r *reducer) meaning() func(exectrace.Event, []unpark.Site) exectrace.Meaning {
	of := Meaning(r.catalogue)
	if len(r.peers) == 0 {
		return of
	}
	return func(at exectrace.Event, sites []unpark.Site) exectrace.Meaning {
		m := of(at, sites)
		full, _ := asDumped(at, sites)
		s := stack{sites: full, label: r.catalogue.Label(unpark.KindGoroutine, full)}
		if r.readsItself(s) {
			l := r.across(s.label, s.site())
			m.Class, m.Idle = l.Class, l.Idle
		}
		return m
	}
}

// notePeers says of which reads it is not known whom they wait for.
func (r *reducer) notePeers(add func(code, cure, format string, args ...any)) {
	var names []string
	for function, p := range r.peers {
		if p == nobody {
			names = append(names, function)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	add("reads-of-unknown-peer", "look at who dials: a connection that was taken over (http.Hijacker) waits for its client, any other for another service",
		"Handlers read connections in %s without net/http watching their clients, as after a Hijack: whether they wait for the next message of a client or for another service is not known, so these waits are left out.",
		strings.Join(names, ", "))
}
