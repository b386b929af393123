package exectrace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/exp/trace"
)

const (
	defaultKeep = 4096
	readAhead   = 64 << 10
	// regionRequest is the type of the region that the probe's middleware opens
	// around a request (probe.RegionRequest).
	regionRequest = "request"
	// logAge is the category under which it logs how long ago the client meant to
	// send the request, in ns (probe.LogAge).
	logAge = "unpark.age"
)

// ErrEmpty says that a file holds no execution trace, or one without an event.
var ErrEmpty = errors.New("no execution trace")

// Read reads a trace to its end, or to the first thing in it that cannot be read:
// then Broken says what, and the rest is missing. It is an error when nothing can be
// read at all.
func Read(src io.Reader, o Options) (*Trace, error) {
	if o.Keep <= 0 {
		o.Keep = defaultKeep
	}
	in := &counter{r: src}
	r, err := open(in)
	if err != nil {
		return nil, err
	}
	f := newFollower(o)
	broken := f.follow(r, in)
	t := f.trace()
	t.Broken = broken
	t.Used = in.n
	if broken != nil {
		t.Used = f.used
	}
	if _, err := io.Copy(io.Discard, in); err != nil && broken == nil {
		t.Broken = fmt.Errorf("read the trace: %w", err)
	}
	t.Bytes = in.n
	if t.Events == 0 {
		if broken == nil {
			broken = errors.New("it has no events")
		}
		return nil, fmt.Errorf("%w: %w: capture it again, for a second or more", ErrEmpty, broken)
	}
	return t, nil
}

func open(in io.Reader) (r *trace.Reader, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrEmpty, p)
		}
	}()
	r, err = trace.NewReader(bufio.NewReaderSize(in, readAhead))
	if err != nil {
		return nil, fmt.Errorf("%w: %w: it must be what runtime/trace or /debug/pprof/trace wrote, with Go 1.22 to 1.27", ErrEmpty, err)
	}
	return r, nil
}

// follow hands every event on while the next ones are being decoded. It returns what
// made it stop before the end.
func (f *follower) follow(r *trace.Reader, in *counter) error {
	full, empty := make(chan batch, 2), make(chan []trace.Event, 3)
	for range cap(empty) {
		empty <- make([]trace.Event, 0, batchSize)
	}
	stop := make(chan struct{})
	defer func() {
		close(stop)
		for range full { // until nobody reads the input any more
		}
	}()
	go decode(r, in, full, empty, stop)
	for b := range full {
		if err := f.handle(b); err != nil {
			return err
		}
		if b.err != nil {
			return fmt.Errorf("after %.3f s of the trace: %w", f.seconds(), b.err)
		}
		empty <- b.events[:0]
	}
	return nil
}

// batch is some events in a row. Used is the number of bytes that had been read
// when the first of them was decoded.
type batch struct {
	events []trace.Event
	used   int64
	err    error // why there are no more; nil at the end of the trace
}

const batchSize = 512

// decode reads events into batches until there are no more, and closes full. A
// batch begins with each generation, whose first event is a Sync.
func decode(r *trace.Reader, in *counter, full chan<- batch, empty <-chan []trace.Event, stop <-chan struct{}) {
	defer close(full)
	var b batch
	send := func() bool {
		select {
		case full <- b:
			return true
		case <-stop:
			return false
		}
	}
	next := func() bool {
		select {
		case events := <-empty:
			b = batch{events: events, used: in.n}
			return true
		case <-stop:
			return false
		}
	}
	defer func() {
		// The decoder is hardened against bad input, not proven.
		if p := recover(); p != nil {
			b.err = fmt.Errorf("the trace is malformed: %v", p)
			send()
		}
	}()
	for more := next(); more; {
		ev, err := r.ReadEvent()
		if err != nil {
			if !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				b.err = err
			}
			send()
			return
		}
		if len(b.events) == batchSize || ev.Kind() == trace.EventSync && len(b.events) > 0 {
			if more = send() && next(); !more {
				return
			}
		}
		b.events = append(b.events, ev)
	}
}

// handle follows the events of a batch.
func (f *follower) handle(b batch) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the trace is malformed: %v", p)
		}
	}()
	for i := range b.events {
		ev := &b.events[i]
		if ev.Kind() == trace.EventSync {
			f.stacks.generation()
			f.used = b.used // one generation at a time is read ahead
		}
		f.event(ev)
	}
	return nil
}

// counter counts the bytes that were read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (f *follower) event(ev *trace.Event) {
	t := int64(ev.Time())
	if f.events == 0 {
		f.first, f.now = t, t
	}
	f.events++
	f.advance(t)
	switch ev.Kind() {
	case trace.EventStateTransition:
		st := ev.StateTransition()
		if st.Resource.Kind == trace.ResourceGoroutine {
			f.transition(ev, &st)
		}
	case trace.EventRangeBegin, trace.EventRangeActive:
		f.rangeBegins(ev.Range())
	case trace.EventRangeEnd:
		f.rangeEnds(ev.Range())
	case trace.EventLabel:
		f.label(ev.Label())
	case trace.EventTaskBegin:
		f.tasks[ev.Task().ID] = ev.Task().Type
	case trace.EventTaskEnd:
		delete(f.tasks, ev.Task().ID)
	case trace.EventLog:
		if l := ev.Log(); l.Category == logAge {
			f.aged(ev.Goroutine(), l.Message)
		}
	case trace.EventRegionBegin:
		if reg := ev.Region(); reg.Type == regionRequest {
			f.marked(ev.Goroutine(), f.tasks[reg.Task])
		}
	case trace.EventRegionEnd:
		if reg := ev.Region(); reg.Type == regionRequest {
			f.unmarked(ev.Goroutine())
		}
	}
}

// label knows the collector's goroutines: nothing else is labelled
// (runtime/mgc.go:gcBgMarkWorker).
func (f *follower) label(l trace.Label) {
	if l.Resource.Kind == trace.ResourceGoroutine && strings.HasPrefix(l.Label, "GC (") {
		if g := f.live[l.Resource.Goroutine()]; g != nil && !g.collector {
			g.collector = true
			if g.state == Running {
				f.collecting++
			}
		}
	}
}
