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
	ahead := bufio.NewReaderSize(in, readAhead) // trace.NewReader adds no buffer of its own
	r, err := open(ahead)
	if err != nil {
		return nil, err
	}
	f := newFollower(o)
	broken := f.follow(r, func() int64 { return in.n - int64(ahead.Buffered()) })
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
	if broken != nil {
		// Until Go 1.25 the first batch of the next generation is decoded with one, so
		// that a cut in it would not show.
		t.Used = min(t.Used, t.Bytes-1)
	}
	if !f.told {
		if broken == nil {
			broken = errors.New("it has no events")
		}
		return nil, fmt.Errorf("%w: %w: capture it again, for a second or more", ErrEmpty, broken)
	}
	return t, nil
}

func open(in *bufio.Reader) (r *trace.Reader, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrEmpty, p)
		}
	}()
	r, err = trace.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %w: it must be what runtime/trace or /debug/pprof/trace wrote, with Go 1.21 to 1.27", ErrEmpty, err)
	}
	return r, nil
}

// follow hands every event on while the next ones are being decoded. It returns what
// made it stop before the end. Decoded says how many bytes the decoder has taken.
func (f *follower) follow(r *trace.Reader, decoded func() int64) error {
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
	go decode(r, decoded, full, empty, stop)
	for b := range full {
		if err := f.handle(b); err != nil {
			return err
		}
		if b.err != nil {
			return fmt.Errorf("after %.3f s of the trace: %w", f.seconds(), brief(b.err))
		}
		empty <- b.events[:0]
	}
	return nil
}

// batch is some events in a row. Used is, when the first is a Sync, the number of
// bytes up to the end of its generation.
type batch struct {
	events []trace.Event
	used   int64
	err    error // why there are no more; nil at the end of the trace
}

const batchSize = 512

// decode reads events into batches until there are no more, and closes full. A
// batch begins with each generation, whose first event is a Sync.
func decode(r *trace.Reader, decoded func() int64, full chan<- batch, empty <-chan []trace.Event, stop <-chan struct{}) {
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
			b = batch{events: events}
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
		if ev.Kind() == trace.EventSync {
			b.used = decoded()
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
			// A generation is decoded before its first event is told, and one more of
			// these events follows the last of them, whether the next can be read or not.
			f.used, f.ahead = f.ahead, b.used
		} else {
			f.told = true
		}
		f.event(ev)
	}
	return nil
}

// brief cuts an error to its first line: the decoder appends the state of every
// goroutine, in no order.
func brief(err error) error {
	line, _, more := strings.Cut(err.Error(), "\n")
	if !more {
		return err
	}
	return errors.New(strings.TrimSuffix(line, ":"))
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
