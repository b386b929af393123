// Package slowest tells of the slowest requests in the execution traces of a run one by one: what each did, one state after the
// other, and which code it waited for. The report has what they have in common; this is for whom one of them matters. Begin at [Read].
package slowest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/store"
)

// Request is one request of one process. Times are in seconds.
type Request struct {
	PID    int
	Start  float64 // since its trace began
	Wall   float64
	Route  string // as the middleware named it; "" where it was inferred
	States []State
	Held   []Holder // those that kept it waiting longest
}

// State is what a request did, or waited for, at one time.
type State struct {
	Class unpark.WaitClass
	From  float64 // since the request began
	Time  float64
	Site  unpark.Site // zero for a state without a place
}

// Holder is code that kept a request waiting.
type Holder struct {
	Class  unpark.WaitClass // of the wait
	Waiter unpark.Site
	Site   unpark.Site
	Time   float64
}

// errNone says that a run has nothing to tell of.
var errNone = errors.New("it has no execution trace with requests in it: run it with --trace 1s or longer")

// Read tells the slowest requests of a run's measured window. Requests that the middleware marked go before those that are inferred. A
// trace that cannot be read is left out, unless it is the only one. Snapshots of a flight recorder are traces as others.
func Read(run unpark.Run, dir string) ([]Request, error) {
	found, err := readAll(run, dir, exectrace.Options{Keep: Most, Order: states})
	if err != nil {
		return nil, err
	}
	var out []Request
	for _, r := range found {
		out = append(out, r.requests(r.all.Slowest)...)
	}
	slices.SortStableFunc(out, func(a, b Request) int { return cmp.Compare(b.Wall, a.Wall) })
	return out[:min(Most, len(out))], nil
}

// Sample is requests that were drawn from all with equal chance.
type Sample struct {
	Requests []Request
	Of       int64   // how many there were
	Seconds  float64 // of the longest trace

	readers []reader
}

// Between returns flame graphs of what the goroutines of all traced processes did from one instant to another, in seconds since the traces
// began and widened to whole Moments: those that waited, and those that ran, each in goroutines in the mean. What ran is told by the samples of
// the CPU that a trace has where a CPU profile was recorded meanwhile; without one there is no second graph.
func (s Sample) Between(from, to float64) ([]unpark.Flame, error) {
	waited := profile.Make("goroutine", "count", 1, "goroutine", "count")
	ran := profile.Make("cpu", "nanoseconds", 1, "samples", "count", "cpu", "nanoseconds")
	for _, r := range s.readers {
		for _, x := range r.t.Between(from, to) {
			stack := r.t.Stacks[x.Stack]
			switch {
			case x.State == exectrace.Running && len(stack) > 0:
				ran.Add(stack, 1, x.Time)
			case x.State == exectrace.Running:
			case len(stack) == 0: // ready to run, or what began before the trace
				waited.Add([]unpark.Site{{Function: string(x.State.Class())}}, x.Time)
			default:
				// What the runtime starts for itself waits in every process; Go's own goroutine profile leaves it out too.
				stack = evidence.Dumped(r.c, x.State, stack)
				if r.c.Label(unpark.KindGoroutine, stack).Side != unpark.RuntimeSide {
					waited.Add(stack, x.Time)
				}
			}
		}
	}
	moment := Moment.Seconds()
	length := (math.Ceil(to/moment-1e-6) - math.Floor(from/moment+1e-6)) * moment
	var out []unpark.Flame
	for _, g := range []struct {
		made *profile.Made
		kind unpark.Kind
		unit float64 // seconds that a value of 1 stands for
	}{{waited, unpark.KindGoroutine, 1e-9}, {ran, unpark.KindCPU, 1}} {
		f, err := flame(g.made, g.kind, s.readers)
		if err != nil {
			return nil, err
		}
		if len(f.Value) == 0 || f.Value[0] <= 0 || !(length > 0) {
			continue
		}
		f.Unit, f.Total = "goroutines", f.Total*g.unit/length
		for i := range f.Value {
			f.Value[i] *= g.unit / length
			f.Self[i] *= g.unit / length
		}
		out = append(out, f)
	}
	return out, nil
}

// flame draws what was made of traces, as profiles are drawn.
func flame(m *profile.Made, kind unpark.Kind, of []reader) (unpark.Flame, error) {
	text, err := m.Bytes()
	if err != nil {
		return unpark.Flame{}, err
	}
	p, err := profile.Decode(bytes.NewReader(text), kind, "the trace's stacks")
	if err != nil {
		return unpark.Flame{}, err
	}
	return p.Flame(of[0].c), nil
}

// Draw draws a sample of the requests of a run's measured window, of the traces that Read reads.
func Draw(run unpark.Run, dir string) (Sample, error) {
	found, err := readAll(run, dir, exectrace.Options{Keep: drawn, Order: drawnStates, Moment: Moment})
	if err != nil {
		return Sample{}, err
	}
	out := Sample{readers: found}
	for _, r := range found {
		out.Requests, out.Of = append(out.Requests, r.requests(r.all.Sample)...), out.Of+r.all.Count
		out.Seconds = max(out.Seconds, r.t.Seconds)
	}
	return out, nil
}

// readAll reads the traces that have requests.
func readAll(run unpark.Run, dir string, o exectrace.Options) ([]reader, error) {
	w := run.Measured()
	if w == nil {
		return nil, errNone
	}
	c := profile.NewCatalogue(run.Target.Module, run.Target.Own...)
	o.Meaning = evidence.Meaning(c)
	var exact, inferred []reader
	err := errNone
	for _, p := range w.Profiles {
		if p.Kind != unpark.KindTrace || p.State != unpark.Present || p.File == "" {
			continue
		}
		t, failed := read(dir, p.File, o)
		switch {
		case failed != nil && errors.Is(err, errNone):
			err = failed
		case failed != nil:
		case t.Exact.Count > 0:
			exact = append(exact, reader{t, t.Exact, c, p.PID})
		case t.Inferred.Count > 0:
			inferred = append(inferred, reader{t, t.Inferred, c, p.PID})
		}
	}
	if len(exact) == 0 {
		exact = inferred
	}
	if len(exact) == 0 {
		return nil, fmt.Errorf("tell the requests of %s: %w", dir, err)
	}
	return exact, nil
}

func read(dir, name string, o exectrace.Options) (*exectrace.Trace, error) {
	f, err := store.File(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := exectrace.Read(f, o)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return t, nil
}

// reader puts the numbers of one trace into words.
type reader struct {
	t   *exectrace.Trace
	all exectrace.Requests
	c   *profile.Catalogue
	pid int
}

func (r reader) requests(some []exectrace.Request) []Request {
	var out []Request
	for _, q := range some {
		x := Request{PID: r.pid, Start: seconds(q.Start), Wall: seconds(q.Wall), Route: q.Route}
		var at int64
		for _, s := range q.Order {
			next := State{Class: s.State.Class(), From: seconds(at), Time: seconds(s.Time), Site: r.site(s.State, s.Stack)}
			at += s.Time
			// The trace keeps states apart by their stacks, also such as have no place here: assists of the collector, one after another.
			if n := len(x.States); n > 0 && next.Site.IsZero() && x.States[n-1].Site.IsZero() && x.States[n-1].Class == next.Class {
				x.States[n-1].Time = seconds(at) - x.States[n-1].From
				continue
			}
			x.States = append(x.States, next)
		}
		for _, b := range q.Waits {
			e := r.t.Edges[b.Edge]
			x.Held = append(x.Held, Holder{Class: e.State.Class(), Waiter: r.place(e.Waiter), Site: r.place(e.Holder), Time: seconds(b.Time)})
		}
		slices.SortStableFunc(x.Held, func(a, b Holder) int { return cmp.Compare(b.Time, a.Time) })
		x.Held = x.Held[:min(holders, len(x.Held))]
		out = append(out, x)
	}
	return out
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

func (r reader) site(s exectrace.State, stack int32) unpark.Site {
	if !s.HasPlace() {
		return unpark.Site{}
	}
	return r.place(stack)
}

// place is the innermost function of the application on a stack, else its leaf.
func (r reader) place(stack int32) unpark.Site {
	if stack <= 0 || int(stack) >= len(r.t.Stacks) || len(r.t.Stacks[stack]) == 0 {
		return unpark.Site{}
	}
	sites := r.t.Stacks[stack]
	if l := r.c.Label(unpark.KindGoroutine, sites); l.App >= 0 {
		return sites[l.App]
	}
	return sites[0]
}
