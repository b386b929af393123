package evidence

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/roles"
)

// peer is what is at the other end of a connection that a handler reads by itself.
type peer uint8

const (
	elsewhere peer = iota // another service: the handler dialled
	unclear               // it is not known; nothing is said of the wait
	client                // the server's own client, after http.Hijacker.Hijack
)

// takeover is what is known of connections that handlers took over from net/http.
type takeover struct {
	catalogue *profile.Catalogue
	peers     map[string]peer // what is at the other end, by the function that reads
}

// takeOvers finds the connections that handlers took over from net/http, and labels
// the reads of them. The stack of a handler that reads its client's next request after
// a Hijack is that of one which waits for another service's answer, and so are the
// times: in a closed loop both wait for all of the window. Two signs distinguish them.
// Each request under way has a watcher, each connection taken over has none; and where
// nothing calls net/http's own loop between requests, no request is one of net/http's.
// Without the second, it is not known what such reads wait for, and a notice says so.
func takeOvers(p *profiles) takeover {
	t := takeover{p.catalogue, map[string]peer{}}
	reads, watchers := tally[string]{}, 0.0
	for _, instant := range p.instants {
		for _, s := range instant {
			if s.on(roles.Watcher) {
				watchers += s.value
			}
			if t.readsItself(s) {
				reads.add(s.site().Function, s, s.value, 0)
			}
		}
	}
	for function, sum := range reads {
		if sum.value < minSnapshots || sum.value <= unwatched*watchers {
			continue
		}
		t.peers[function] = unclear
		if passedBy(p) {
			t.peers[function] = client
		}
	}
	for _, instant := range p.instants {
		for i := range instant {
			if s := &instant[i]; t.readsItself(*s) {
				s.label = t.across(s.label, s.site())
			}
		}
	}
	return t
}

// readsItself reports whether a handler of net/http reads a connection for which no
// client library vouches: all that speaks for another service is that the server does
// not read its own connections there.
func (t takeover) readsItself(s stack) bool {
	if s.label.Class != unpark.WaitDownstream || s.label.App < 0 || !s.on(roles.Read) || !s.on(roles.Serve) {
		return false
	}
	top := slices.IndexFunc(s.sites, func(f unpark.Site) bool { return t.catalogue.Is(f.Function, roles.Handler) })
	if top < s.label.App {
		return false
	}
	without := t.catalogue.Label(unpark.KindGoroutine, slices.Concat(s.sites[:s.label.App], s.sites[top:]))
	return without.Class == unpark.WaitNetwork
}

// passedBy reports whether the requests of the window were answered past net/http: its
// own part of them, outside of handlers, is missing in the CPU profile.
func passedBy(p *profiles) bool {
	requests, known := p.requests().Get()
	expected := requests * leastServing
	if !known || !p.has(unpark.KindCPU) || expected < expectServing {
		return false
	}
	var own float64
	for _, s := range p.stacks[unpark.KindCPU] {
		if s.on(roles.Serve) && !s.on(roles.Handler) {
			own += s.value
		}
	}
	return own <= healthChecks*expected
}

// across changes the label of a read in a handler by what is at the other end.
func (t takeover) across(l profile.Label, at unpark.Site) profile.Label {
	if p := t.peers[at.Function]; p != elsewhere {
		l.Class, l.Side, l.Idle = unpark.WaitNetwork, unpark.Background, p == client
	}
	return l
}

// meaning is [Meaning] with what dumps say of connections that were taken over: a read
// of the next request ends the one before.
func (t takeover) meaning() func(exectrace.Event, []unpark.Site) exectrace.Meaning {
	of := Meaning(t.catalogue)
	if len(t.peers) == 0 {
		return of
	}
	return func(at exectrace.Event, sites []unpark.Site) exectrace.Meaning {
		m := of(at, sites)
		full, _ := asDumped(t.catalogue, at, sites)
		s := stack{catalogue: t.catalogue, sites: full, label: t.catalogue.Label(unpark.KindGoroutine, full)}
		if t.readsItself(s) {
			l := t.across(s.label, s.site())
			m.Class, m.Idle = l.Class, l.Idle
		}
		return m
	}
}
