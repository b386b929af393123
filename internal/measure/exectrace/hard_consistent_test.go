package exectrace_test

import (
	"testing"

	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// consistent checks what must hold for any trace, also a broken one.
func consistent(t testing.TB, tr *exectrace.Trace) {
	t.Helper()
	for _, kept := range [][]exectrace.Request{tr.Exact.Slowest, tr.Exact.Sample, tr.Inferred.Slowest, tr.Inferred.Sample} {
		for _, r := range kept {
			adds(t, tr, r)
		}
	}
	totals(t, "marked", tr, &tr.Exact)
	totals(t, "inferred", tr, &tr.Inferred)
	for i, e := range tr.Edges {
		if e.Delay < 0 || e.Chained < 0 || e.Outside < 0 || e.Count < 0 {
			t.Errorf("edge %d has negative parts: %+v", i, e)
		}
		if int(e.Waiter) >= len(tr.Stacks) || int(e.Holder) >= len(tr.Stacks) {
			t.Errorf("edge %d has a stack beyond %d: %+v", i, len(tr.Stacks), e)
		}
		if h := e.Holds; h.N < 0 || h.Sum < 0 || h.Squares*float64(h.N) < (1-1e-9)*float64(h.Sum)*float64(h.Sum) || h.N > 0 && e.State != exectrace.Lock {
			t.Errorf("edge %d: holds %+v", i, h)
		}
		var held int64
		for _, h := range e.Held {
			held += h.Time
			if h.Time < 0 || int(h.Stack) >= len(tr.Stacks) {
				t.Errorf("edge %d: held %+v", i, h)
			}
		}
		if held != e.Delay+e.Chained {
			t.Errorf("edge %d: what holders did adds up to %d ns, delay and chained to %d", i, held, e.Delay+e.Chained)
		}
	}
	if tr.Used > tr.Bytes {
		t.Errorf("used %d of %d bytes", tr.Used, tr.Bytes)
	}
}

// adds checks that the states of a request add up to its wall time, and that
// nobody is blamed for more than it waited.
func adds(t testing.TB, tr *exectrace.Trace, r exectrace.Request) {
	t.Helper()
	var sum int64
	waited := map[exectrace.State]int64{}
	for _, s := range r.Spent {
		sum += s.Time
		waited[s.State] += s.Time
		if s.Time < 0 || int(s.Stack) >= len(tr.Stacks) {
			t.Errorf("request at %d: spent %+v", r.Start, s)
		}
	}
	if sum != r.Wall {
		t.Errorf("request %q at %d took %d ns, its states add up to %d", r.Route, r.Start, r.Wall, sum)
	}
	blamed := map[exectrace.State]int64{}
	for _, b := range r.Waits {
		blamed[tr.Edges[b.Edge].State] += b.Time
	}
	for s, d := range blamed {
		if d > waited[s] {
			t.Errorf("request %q at %d: others are blamed for %d ns of %s, it waited %d", r.Route, r.Start, d, s.Class(), waited[s])
		}
	}
}

// totals checks that sums agree with the requests they are the sums of, while all
// of them are kept.
func totals(t testing.TB, what string, tr *exectrace.Trace, rs *exectrace.Requests) {
	t.Helper()
	if rs.Ran.N() != rs.Count || rs.Ran.Sum() != rs.Spent[exectrace.Running] {
		t.Errorf("%s: %d running times of %d requests, %d ns of %d", what, rs.Ran.N(), rs.Count, rs.Ran.Sum(), rs.Spent[exectrace.Running])
	}
	if rs.Wall.N() != rs.Count {
		t.Errorf("%s: %d durations of %d requests", what, rs.Wall.N(), rs.Count)
	}
	if rs.Count != int64(len(rs.Slowest)) {
		return
	}
	var wall int64
	spent := map[exectrace.State]int64{}
	delay := make([]int64, len(tr.Edges))
	for _, r := range rs.Slowest {
		wall += r.Wall
		for _, s := range r.Spent {
			spent[s.State] += s.Time
		}
		for _, b := range r.Waits {
			delay[b.Edge] += b.Time
		}
	}
	if wall != rs.Wall.Sum() {
		t.Errorf("%s: requests took %d ns, the sum says %d", what, wall, rs.Wall.Sum())
	}
	for s, d := range rs.Spent {
		if spent[exectrace.State(s)] != d {
			t.Errorf("%s: %s %d ns, the sum says %d", what, exectrace.State(s).Class(), spent[exectrace.State(s)], d)
		}
	}
	for i, d := range delay {
		// The edge has the delay of requests under way as well.
		if d > tr.Edges[i].Delay {
			t.Errorf("%s: edge %d has %d ns of delay, requests have %d of it", what, i, tr.Edges[i].Delay, d)
		}
	}
}

// complete checks that the delay of edges is that of inferred requests, in a trace
// where every marked one lies in one of them and all have ended.
func complete(t testing.TB, tr *exectrace.Trace) {
	t.Helper()
	if tr.Inferred.Count != int64(len(tr.Inferred.Slowest)) || tr.Inferred.Unfinished != 0 || tr.Exact.Unfinished != 0 {
		return
	}
	delay := make([]int64, len(tr.Edges))
	for _, r := range tr.Inferred.Slowest {
		for _, b := range r.Waits {
			delay[b.Edge] += b.Time
		}
	}
	for i, e := range tr.Edges {
		// A connection's goroutine may wait for a moment that is no request's.
		if more := e.Delay - delay[i]; more < 0 || more > 5e6 {
			t.Errorf("edge %d has %d ns of delay, the inferred requests %d", i, e.Delay, delay[i])
		}
	}
}
