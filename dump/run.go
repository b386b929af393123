package dump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/profile"
)

const (
	// share bounds the part of the time that is spent on dumps: the process stands
	// still while one is written.
	share = 0.01
	// ripe is how long after a collection the runtime's wait times prove something:
	// it prints whole minutes.
	ripe = time.Minute + 500*time.Millisecond
	// most bounds the dumps of one watch.
	most = 100000
)

// Source is one process, and how to read it. Its functions are not called at the
// same time.
type Source struct {
	Endpoint string
	PID      int    // 0 when unknown
	Go       string // version, when known
	Module   string // path of the main module, when known
	// Stacks returns the text of a dump.
	Stacks func(context.Context) ([]byte, error)
	// Profile returns a goroutine profile in the form of pprof, by which the catalogue
	// learns which goroutines serve connections by themselves; may be nil.
	Profile func(context.Context) ([]byte, error)
	// Collect runs a garbage collection; nil when none is wanted.
	Collect func(context.Context) error
	// Leaks returns a goroutineleak profile; nil when none is wanted.
	Leaks func(context.Context) ([]byte, error)
}

// Config says what to watch, and for how long.
type Config struct {
	Sources []Source
	Every   time.Duration // between two dumps; a dear dump stretches it
	Count   int           // dumps; 0 to go by For
	For     time.Duration // from the first dump to the last
	// Idle names functions below which a wait is parking; a name that ends in "*"
	// stands for all that begin so.
	Idle     []string
	Version  unpark.Version
	Progress func(Event) // may be nil
}

// Event is one round of dumps, for somebody who watches.
type Event struct {
	Dump, Of   int // from 1; Of is what is planned
	Goroutines int
	Took       time.Duration // of the slowest process
	Next       time.Duration // until the next round; 0 after the last one
	Note       string        // what comes next, when it is no dump
}

// watch is a running watch.
type watch struct {
	Config
	processes []*process
	out       []unpark.WatchProcess
	start     time.Time
	every     time.Duration // stretched
	warnings  []unpark.Notice
}

// Run takes dumps of every source and says what they show. When ctx ends, or
// every process is gone, after the first dump, the watch says what is known so
// far and is partial. The error is that of a watch without a single dump.
func Run(ctx context.Context, c Config) (unpark.Watch, error) {
	if c.Count == 0 {
		c.Count = int(min(c.For/max(c.Every, 1), most-1)) + 1
	}
	w := &watch{Config: c, every: c.Every}
	w.processes = make([]*process, len(c.Sources))
	w.each(func(i int) { w.processes[i] = newProcess(catalogue(ctx, c.Sources[i]), c.Idle) })
	for _, s := range c.Sources {
		w.out = append(w.out, unpark.WatchProcess{Endpoint: s.Endpoint, PID: s.PID, Go: s.Go, LeakProfile: unpark.Absent, LeakNote: "not asked for"})
	}
	partial, err := w.rounds(ctx)
	if err != nil {
		return unpark.Watch{}, err
	}
	if partial == "" {
		w.leaks(ctx)
	}
	return w.document(partial), nil
}

// catalogue returns what is known of a process's frames. Without its profile less
// is known, and that is no error: the dumps will tell.
func catalogue(ctx context.Context, s Source) *profile.Catalogue {
	c := profile.NewCatalogue(s.Module)
	if s.Profile == nil {
		return c
	}
	body, err := s.Profile(ctx)
	if err != nil {
		return c
	}
	p, err := profile.Decode(bytes.NewReader(body), unpark.KindGoroutine, s.Endpoint)
	if err != nil {
		return c
	}
	return c.With(p)
}

// rounds takes the dumps. partial says why there are fewer than asked for.
func (w *watch) rounds(ctx context.Context) (partial string, err error) {
	failed := false
	for n := range w.Count {
		if n > 0 && wait(ctx, w.pause(n)) != nil {
			return sentence("interrupted after %d of %s", n, counted(w.Count, "dump")), nil
		}
		if w.every > w.Every && n >= fewest && w.For > 0 && time.Since(w.start) > w.For+w.every/2 {
			return "", nil
		}
		took, err := w.round(ctx)
		switch {
		case ctx.Err() != nil && n == 0:
			return "", errors.New("watch: interrupted before the first dump")
		case ctx.Err() != nil:
			return sentence("interrupted after %d of %s", n, counted(w.Count, "dump")), nil
		case err != nil && n == 0:
			return "", fmt.Errorf("watch: %w", err)
		case err != nil && failed:
			return sentence("no process answered after %s: %v", counted(n-1, "dump"), err), nil
		}
		failed = err != nil // one failure may pass
		if n == 0 {
			w.collect(ctx)
		}
		w.stretch(took)
		w.tell(n, took)
	}
	return "", nil
}

// pause is the time until dump n. The last one waits until the runtime's wait
// times prove something, when that is near.
func (w *watch) pause(n int) time.Duration {
	d := w.every
	if n < w.Count-1 || time.Duration(w.Count-1)*w.Every < time.Minute {
		return d
	}
	for _, p := range w.processes {
		if !p.collected.IsZero() {
			d = max(d, time.Until(p.collected.Add(ripe)))
		}
	}
	return min(d, w.every+ripe)
}

// stretch makes the time between dumps so long that they take their share of it.
func (w *watch) stretch(took time.Duration) {
	need := time.Duration(float64(took) * (1 - share) / share)
	if need <= w.every {
		return
	}
	if need > 2*w.Every && w.every <= 2*w.Every {
		w.warnings = append(w.warnings, unpark.Notice{
			Code:    "stretched",
			Message: sentence("a dump took %v: dumps come less often than every %v, so that they take 1 %% of the time at most", took.Round(100*time.Microsecond), w.Every),
			Cure:    sentence("ask for one every %v or less often, or for a longer watch", (need + time.Second).Truncate(time.Second)),
		})
	}
	w.every = need
}

func (w *watch) tell(n int, took time.Duration) {
	if w.Progress == nil {
		return
	}
	e := Event{Dump: n + 1, Of: w.Count, Took: took}
	for _, p := range w.processes {
		e.Goroutines += p.count
	}
	if n+1 < w.Count {
		e.Next = w.pause(n + 1)
	}
	w.Progress(e)
}

// round takes one dump of every process, and fails when there was none. It
// returns the time that the slowest one took.
func (w *watch) round(ctx context.Context) (time.Duration, error) {
	if w.start.IsZero() {
		w.start = time.Now()
	}
	took := make([]time.Duration, len(w.Sources))
	errs := make([]error, len(w.Sources))
	w.each(func(i int) { took[i], errs[i] = w.dump(ctx, i) })
	longest, failed := time.Duration(0), 0
	for i, err := range errs {
		longest = max(longest, took[i])
		if err != nil {
			failed++
		}
	}
	if failed == len(errs) {
		return longest, errors.Join(errs...)
	}
	return longest, nil
}

// each calls f for every source, a few at a time.
func (w *watch) each(f func(i int)) {
	const atOnce = 8
	var all sync.WaitGroup
	room := make(chan bool, atOnce)
	for i := range w.Sources {
		room <- true
		all.Go(func() {
			defer func() { <-room }()
			f(i)
		})
	}
	all.Wait()
}

// dump takes one dump of one process.
func (w *watch) dump(ctx context.Context, i int) (time.Duration, error) {
	begun := time.Now()
	text, err := w.Sources[i].Stacks(ctx)
	took := time.Since(begun)
	d := unpark.WatchDump{At: begun.Sub(w.start).Seconds(), Took: took.Seconds(), Bytes: int64(len(text))}
	if err == nil {
		var s summary
		s, err = w.processes[i].add(begun, text)
		d.Goroutines, d.Truncated, d.Broken = s.goroutines, s.truncated && err == nil, s.broken
	}
	if err != nil {
		d.Error = err.Error()
	}
	w.out[i].Dumps = append(w.out[i].Dumps, d)
	return took, err
}

// collect has every process collect garbage, so that its wait times count from
// now on. It comes after the first dump: what is seen before and after it has met
// it waiting.
func (w *watch) collect(ctx context.Context) {
	w.each(func(i int) {
		if w.Sources[i].Collect == nil || w.processes[i].dumps() == 0 {
			return
		}
		begun := time.Now()
		if w.Sources[i].Collect(ctx) == nil {
			w.processes[i].collected = time.Now()
			w.out[i].Collected = unpark.Num(time.Since(begun).Seconds())
		}
	})
}

// leaks reads the goroutineleak profiles.
func (w *watch) leaks(ctx context.Context) {
	w.each(func(i int) {
		s, out := w.Sources[i], &w.out[i]
		if s.Leaks == nil || w.processes[i].dumps() == 0 {
			return
		}
		body, err := s.Leaks(ctx)
		if err != nil {
			out.LeakNote = err.Error()
			return
		}
		p, err := profile.Decode(bytes.NewReader(body), unpark.KindGoroutineLeak, s.Endpoint+" goroutineleak")
		if err != nil {
			out.LeakProfile, out.LeakNote = unpark.Bad, err.Error()
			return
		}
		out.LeakProfile, out.LeakNote = unpark.Present, ""
		w.processes[i].leaks(p)
	})
}

// wait sleeps unless ctx ends first.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
