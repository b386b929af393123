package dump

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/unpark-go/unpark"
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
	PID      int      // 0 when unknown
	Go       string   // version, when known
	Module   string   // path of the main module, when known
	One      bool     // no other process can answer: it is read from outside, and none of its goroutines writes the dump
	Own      []string // of other modules that are the application's (profile.NewCatalogue)
	// Living is about how many goroutines it had at first, where that may be more than a dump lists; else 0.
	Living float64
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

// Event is one round of dumps, for a watcher.
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
	every     time.Duration // until the next dump: longer after a dear one
	took      time.Duration // by the dump before
	warned    bool
	late      bool // a dear dump has delayed the next
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
	w.each(func(i int) {
		w.processes[i] = newProcess(catalogue(ctx, c.Sources[i]), c.Idle)
		w.processes[i].one = c.Sources[i].One
	})
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

// rounds takes the dumps. partial says why there are fewer than asked for.
func (w *watch) rounds(ctx context.Context) (partial string, err error) {
	failed := false
	for n := range w.Count {
		if n > 0 && wait(ctx, w.pause(n)) != nil {
			return sentence("interrupted after %d of %s", n, counted(w.Count, "dump")), nil
		}
		if w.late && n >= fewest && w.For > 0 && time.Since(w.start) > w.For+w.every/2 {
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
		w.stretch(n, took)
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

// stretch makes the time after a dump so long that it takes its share of it. One
// dump may be slow because the machine is busy: the quicker of the last two counts.
func (w *watch) stretch(n int, took time.Duration) {
	quicker := took
	if n > 0 {
		quicker = min(took, w.took)
	}
	w.took = took
	need := time.Duration(float64(quicker) * (1 - share) / share)
	w.every = max(w.Every, need)
	if w.every == w.Every {
		return
	}
	w.late = true
	if need > 2*w.Every && !w.warned {
		w.warned = true
		w.warnings = append(w.warnings, unpark.Notice{
			Code:    "stretched",
			Message: sentence("a dump took %v: the next one came later than after %v, so that dumps take 1 %% of the time at most", took.Round(100*time.Microsecond), w.Every),
			Cure:    sentence("ask for one every %v or less often, or for a longer watch", (need + time.Second).Truncate(time.Second)),
		})
	}
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
