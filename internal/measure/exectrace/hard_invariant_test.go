package exectrace_test

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"testing"

	"golang.org/x/exp/trace"

	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// life is what a second, simpler reader says of one marked request.
type life struct {
	start, wall           int64
	route                 string
	running, ready        int64 // ready: without a processor
	waiting, call, absent int64
}

// goroutineLife is a goroutine under way.
type goroutineLife struct {
	state   trace.GoState
	reason  string
	since   trace.Time
	born    trace.Time
	in      map[trace.GoState]int64
	request *life
}

// second is an independent reader: it follows goroutines and marked regions alone,
// and checks every event as it goes.
type second struct {
	t           *testing.T
	first, last trace.Time
	tasks       map[trace.TaskID]string
	live        map[trace.GoID]*goroutineLife
	done        []life
	events      int64
}

// secondReading reads a trace again.
func secondReading(t *testing.T, data []byte) *second {
	t.Helper()
	r, err := trace.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	s := &second{t: t, tasks: map[trace.TaskID]string{}, live: map[trace.GoID]*goroutineLife{}}
	for {
		ev, err := r.ReadEvent()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("event %d: %v", s.events, err)
		}
		s.event(ev)
	}
	for id, g := range s.live {
		s.partition(id, g, s.last)
	}
	return s
}

func (s *second) event(ev trace.Event) {
	s.t.Helper()
	if s.events == 0 {
		s.first, s.last = ev.Time(), ev.Time()
	}
	s.events++
	if ev.Time() < s.last {
		s.t.Fatalf("event %d: time runs back from %d to %d: %v", s.events, s.last, ev.Time(), ev)
	}
	s.last = ev.Time()
	switch ev.Kind() {
	case trace.EventStateTransition:
		if st := ev.StateTransition(); st.Resource.Kind == trace.ResourceGoroutine {
			s.transition(ev, st)
		}
	case trace.EventTaskBegin:
		s.tasks[ev.Task().ID] = ev.Task().Type
	case trace.EventRegionBegin:
		if g := s.live[ev.Goroutine()]; ev.Region().Type == "request" && g != nil {
			s.book(g)
			g.request = &life{start: int64(ev.Time() - s.first), route: s.tasks[ev.Region().Task]}
		}
	case trace.EventRegionEnd:
		if g := s.live[ev.Goroutine()]; ev.Region().Type == "request" && g != nil && g.request != nil {
			s.book(g)
			g.request.wall = int64(ev.Time()-s.first) - g.request.start
			s.done = append(s.done, *g.request)
			g.request = nil
		}
	}
}

func (s *second) transition(ev trace.Event, st trace.StateTransition) {
	s.t.Helper()
	id := st.Resource.Goroutine()
	from, to := st.Goroutine()
	g := s.live[id]
	if g == nil {
		g = &goroutineLife{state: from, since: ev.Time(), born: ev.Time(), in: map[trace.GoState]int64{}}
		s.live[id] = g
	} else if g.state != from {
		s.t.Errorf("goroutine %d leaves state %v, but it was in %v", id, from, g.state)
	}
	s.book(g)
	g.state = to
	if from != to { // else the status that a generation begins with, which tells no reason
		g.reason = st.Reason
	}
	if to == trace.GoNotExist {
		s.partition(id, g, ev.Time())
		delete(s.live, id)
	}
}

// book adds the time since the latest change to the state that a goroutine is in.
func (s *second) book(g *goroutineLife) {
	d := int64(s.last - g.since)
	g.since = s.last
	g.in[g.state] += d
	r := g.request
	if r == nil {
		return
	}
	switch {
	case g.state == trace.GoRunning:
		r.running += d
	case g.state == trace.GoRunnable, g.state == trace.GoWaiting && g.reason == "preempted":
		r.ready += d
	case g.state == trace.GoWaiting:
		r.waiting += d
	case g.state == trace.GoSyscall:
		r.call += d
	default:
		r.absent += d
	}
}

// partition checks that the times in all states add up to a goroutine's life.
func (s *second) partition(id trace.GoID, g *goroutineLife, end trace.Time) {
	s.t.Helper()
	s.book(g)
	var sum int64
	for _, d := range g.in {
		sum += d
	}
	if life := int64(end - g.born); sum != life {
		s.t.Errorf("goroutine %d lived %d ns, its states add up to %d", id, life, sum)
	}
}

// agrees compares the marked requests of both readers, which must be the same to
// the nanosecond: both follow the same events.
func (s *second) agrees(t *testing.T, tr *exectrace.Trace) {
	t.Helper()
	if tr.Events != s.events {
		t.Errorf("%d events, want %d", tr.Events, s.events)
	}
	if tr.Exact.Count != int64(len(s.done)) {
		t.Errorf("%d marked requests, want %d", tr.Exact.Count, len(s.done))
		return
	}
	got := byStart(tr.Exact.Slowest)
	slices.SortFunc(s.done, func(a, b life) int { return cmp.Compare(a.start, b.start) })
	for i, want := range s.done {
		r := got[i]
		if r.Start != want.start || r.Wall != want.wall || r.Route != want.route {
			t.Errorf("request %d: %q from %d for %d ns, want %q from %d for %d", i, r.Route, r.Start, r.Wall, want.route, want.start, want.wall)
			continue
		}
		var ready, call, rest int64
		for _, sp := range r.Spent {
			switch sp.State {
			case exectrace.Runnable, exectrace.GC, exectrace.STW:
				ready += sp.Time
			case exectrace.Syscall:
				call += sp.Time
			default:
				rest += sp.Time
			}
		}
		// A wait for a file that the poller knows counts as a system call.
		if ready != want.ready || call < want.call || call > want.call+want.waiting || call+rest != want.call+want.running+want.waiting+want.absent {
			t.Errorf("request %d %s: ready %d, in calls %d, running or waiting %d ns; want %+v", i, r.Route, ready, call, rest, want)
		}
	}
}

func byStart(rs []exectrace.Request) []exectrace.Request {
	out := slices.Clone(rs)
	slices.SortFunc(out, func(a, b exectrace.Request) int { return cmp.Compare(a.Start, b.Start) })
	return out
}
