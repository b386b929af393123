package evidence

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// Trace is the execution trace of one process, or a part of one.
type Trace struct {
	Name string // for messages
	PID  int    // of the process, as its profiles have it
	// Snapshot says that it was taken because a request was slow: it is not a
	// fair sample of the others.
	Snapshot bool
	Open     func() (io.ReadCloser, error)
}

// traces is what the traces of a window say, together.
type traces struct {
	window *profiles

	all   []*exectrace.Trace
	snap  []bool      // of each trace, that it is a snapshot
	pids  []int       // of each trace, whose it is
	procs map[int]int // GOMAXPROCS by process
	spots [][]spot    // of each trace, by stack
	exact bool        // the requests that the middleware marked, not the inferred ones
	bad   []unpark.Notice

	fair    []int   // those that are not snapshots; all, when there are only snapshots
	count   int64   // requests of the fair ones
	wall    float64 // s, of these requests
	seconds float64 // the longest of the fair ones
	beside  beside
	begun   map[string][]unpark.Site // see started; nil until it was asked for
}

// waitIn is a sort of wait in a function.
type waitIn struct {
	class    unpark.WaitClass
	function string
}

// readTraces reads all traces, as many at once as there are processors, and of many the beginning of each. A
// window that nothing else dates is as long as the longest of them.
func readTraces(p *profiles, t takeover) *traces {
	ts := &traces{window: p, procs: map[int]int{}}
	found := make([]*exectrace.Trace, len(p.in.Traces))
	errs := make([]error, len(p.in.Traces))
	meaning := t.meaning()
	share := eachRead(p.in.Traces)
	tokens := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)))
	var wg sync.WaitGroup
	for i, t := range p.in.Traces {
		wg.Go(func() {
			tokens <- struct{}{}
			defer func() { <-tokens }()
			found[i], errs[i] = t.read(exectrace.Options{Meaning: meaning, Events: t.most(share)})
		})
	}
	wg.Wait()
	for i, t := range found {
		if errs[i] != nil {
			ts.bad = append(ts.bad, unpark.Notice{
				Code:    "trace-unreadable",
				Message: errs[i].Error(),
				Cure:    "the other files were used; capture the trace again (--trace), for a second or more",
			})
			continue
		}
		ts.all, ts.pids = append(ts.all, t), append(ts.pids, p.in.Traces[i].PID)
		if t.Procs > 0 {
			ts.procs[p.in.Traces[i].PID] = t.Procs
		}
		ts.snap = append(ts.snap, p.in.Traces[i].Snapshot)
	}
	if !slices.Contains(ts.snap, false) {
		clear(ts.snap) // there is nothing fairer
	}
	var exact, inferred int64
	for _, t := range ts.all {
		exact += t.Exact.Count
		inferred += t.Inferred.Count
	}
	ts.exact = exact > 0 && float64(exact) >= marksMost*float64(inferred)
	for _, t := range ts.all {
		ts.spots = append(ts.spots, spotsOf(p.catalogue, t))
	}
	ts.settle()
	if p.seconds <= 0 {
		for _, t := range ts.all {
			p.seconds = max(p.seconds, t.Seconds)
		}
	}
	return ts
}

// eachRead is how many events are read of each trace that is a fair sample; 0: all.
func eachRead(all []Trace) int64 {
	fair := int64(0)
	for _, t := range all {
		if !t.Snapshot {
			fair++
		}
	}
	if fair <= alwaysRead {
		return 0
	}
	return mostEvents / fair
}

// most is how many are read of one: a snapshot is of what was slow, which need not be at its beginning.
func (t Trace) most(share int64) int64 {
	if t.Snapshot {
		return 0
	}
	return share
}

// settle sums what all that use the traces ask for.
func (ts *traces) settle() {
	for i, snap := range ts.snap {
		if snap {
			continue
		}
		rs := ts.requests(i)
		ts.fair = append(ts.fair, i)
		ts.count += rs.Count
		ts.wall += seconds(rs.Wall.Sum())
		ts.seconds = max(ts.seconds, ts.all[i].Seconds)
	}
	ts.beside = besideOf(ts)
}

// requests returns the requests of the i-th trace.
func (ts *traces) requests(i int) *exectrace.Requests {
	if ts.exact {
		return &ts.all[i].Exact
	}
	return &ts.all[i].Inferred
}

// spot is where a stack of a trace stands.
type spot struct {
	site  unpark.Site // the place to name
	call  unpark.Site // what it called there; zero when it is the leaf
	stack []unpark.Site
	label profile.Label
}

func spotsOf(c *profile.Catalogue, t *exectrace.Trace) []spot {
	out := make([]spot, len(t.Stacks))
	given := givenBack(t)
	for i, sites := range t.Stacks {
		if len(sites) == 0 {
			continue
		}
		l := c.Label(unpark.KindGoroutine, sites)
		s := stack{catalogue: c, sites: sites, label: l}
		sp := spot{site: s.site(), stack: sites, label: l}
		if state := t.Uses[i].State; state == exectrace.Lock || state == exectrace.Unknown && !given[int32(i)] {
			sp.site = s.caller() // of Lock, or of Unlock
		}
		for j := 1; j < len(sites); j++ {
			if sites[j] == sp.site {
				sp.call = sites[j-1]
				break
			}
		}
		out[i] = sp
	}
	return out
}

// givenBack are the stacks that give back a place of a pool, and nothing else that is waited for. A pool hands its places over in its own
// functions, the same for all (database/sql's putConnDBLocked): who had the place is the application's function on the way there.
func givenBack(t *exectrace.Trace) map[int32]bool {
	out := map[int32]bool{}
	for _, e := range t.Edges {
		pool, seen := out[e.Holder]
		out[e.Holder] = e.State == exectrace.Pool && (pool || !seen)
	}
	return out
}

func (t Trace) read(o exectrace.Options) (*exectrace.Trace, error) {
	f, err := t.Open()
	if err != nil {
		return nil, fmt.Errorf("read trace %s: %w", t.Name, err)
	}
	out, err := exectrace.Read(f, o)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("read trace %s: %w", t.Name, err)
	}
	return out, nil
}

// parallel is the processes with what only their traces say of GOMAXPROCS: one without a probe does
// not tell it otherwise.
func (ts *traces) parallel(processes []unpark.Process) []unpark.Process {
	out := slices.Clone(processes)
	for i := range out {
		if n := ts.procs[out[i].PID]; n > 0 && !out[i].GOMAXPROCS.Known() {
			out[i].GOMAXPROCS = unpark.Num(float64(n))
		}
	}
	return out
}

// answered is the processes with what the fair traces of each say of its requests, where there are
// several processes.
func (ts *traces) answered(processes []unpark.Process) []unpark.Process {
	several := map[int]bool{}
	for _, at := range ts.fair {
		several[ts.pids[at]] = true
	}
	if len(several) < 2 {
		return processes
	}
	out := slices.Clone(processes)
	for i := range out {
		var n, wall, span float64
		for _, at := range ts.fair {
			if ts.pids[at] != out[i].PID {
				continue
			}
			rs := ts.requests(at)
			n, wall, span = n+float64(rs.Count), wall+seconds(rs.Wall.Sum()), span+ts.all[at].Seconds
		}
		if n >= fewest {
			out[i].Answered, out[i].Wall = unpark.Ratio(n, span), unpark.Num(wall/n)
		}
	}
	return out
}
