package exectrace_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// TestHardCases holds recordings of testdata/cases against the table, for the marked
// requests and for the inferred ones. TestLiveHardCases makes them anew.
func TestHardCases(t *testing.T) {
	for _, h := range hardCases() {
		t.Run(h.title(), func(t *testing.T) {
			data := fixture(t, h.file())
			v := h.read(t, data)
			for _, f := range v.failed {
				t.Error(f)
			}
		})
	}
}

// hardCases are all of them.
func hardCases() []hard {
	return slices.Concat(lockCases(), groupCases(), timerCases(), machineCases(), windowCases(), []hard{{
		name: "cgo", cgo: true, routes: []expected{{
			route: "GET /c", count: 2, vector: shares{exectrace.Syscall: atLeast(0.8)}, blamed: atMost(0.05),
		}},
	}})
}

func (h hard) title() string {
	if len(h.env) == 0 {
		return h.name
	}
	return h.name + "," + h.env[0]
}

// file is where the recording of a case is kept.
func (h hard) file() string { return recording(h.title()) }

func recording(title string) string {
	return filepath.Join("testdata", "hard", strings.NewReplacer(",", "-", "=", "-").Replace(title)+".trace.gz")
}

// read checks what must hold of every trace, and returns what is not as expected of
// this one.
func (h hard) read(t *testing.T, data []byte) verdict {
	t.Helper()
	tr := read(t, data)
	secondReading(t, data).agrees(t, tr)
	consistent(t, tr)
	complete(t, tr)
	var v verdict
	h.judge(&v, tr)
	for _, note := range v.notes {
		t.Log(note)
	}
	return v
}

func (h hard) judge(v *verdict, tr *exectrace.Trace) {
	var want int64
	for _, e := range h.routes {
		want += int64(e.count)
	}
	v.about = h.title()
	if tr.Exact.Count != want || tr.Exact.Unfinished != h.unfinished {
		v.failf("marked: %d requests and %d unfinished, want %d and %d", tr.Exact.Count, tr.Exact.Unfinished, want, h.unfinished)
	}
	if tr.Inferred.Count < want && !h.merged || tr.Inferred.Count > want || tr.Inferred.Unfinished != h.unfinished {
		v.failf("inferred: %d requests and %d unfinished, want %d and %d", tr.Inferred.Count, tr.Inferred.Unfinished, want, h.unfinished)
	}
	h.checkHarmless(v, tr)
	marked := map[string][]exectrace.Request{}
	for _, r := range tr.Exact.Slowest {
		marked[r.Route] = append(marked[r.Route], r)
	}
	for _, e := range h.routes {
		v.about = h.title() + " " + e.route + " marked"
		e.check(v, tr, marked[e.route])
	}
	if h.merged {
		v.about = h.title() + " inferred"
		h.routes[0].merge(v, tr)
		return
	}
	v.about = h.title() + " inferred"
	inferred := around(v, tr)
	for _, e := range h.routes {
		v.about = h.title() + " " + e.route + " inferred"
		e.check(v, tr, inferred[e.route])
	}
}

// checkHarmless checks that waits outside of requests are told, and told apart.
func (h hard) checkHarmless(v *verdict, tr *exectrace.Trace) {
	if h.harmless == "" {
		return
	}
	var outside, inside int64
	for _, e := range tr.Edges {
		if on(tr, e.Waiter, h.harmless) {
			outside += e.Outside
			inside += e.Delay + e.Chained
		}
	}
	if outside < 20e6 || inside != 0 {
		v.failf("%s waited %d ns outside of requests, want over 20 ms, and %d inside, want none", h.harmless, outside, inside)
	}
}

// longest is by how much an inferred request may be longer than the marked one in
// it: it has the parsing and the answer as well, and the scheduler's delays.
const longest = 100e6

// around returns the inferred requests by the route of the marked one that each
// must have in it.
func around(v *verdict, tr *exectrace.Trace) map[string][]exectrace.Request {
	out := map[string][]exectrace.Request{}
	taken := map[int]bool{}
	all := byStart(tr.Inferred.Slowest)
	for _, x := range byStart(tr.Exact.Slowest) {
		best, least := -1, int64(0)
		for i, r := range all {
			if taken[i] || r.Start > x.Start || r.Start+r.Wall < x.Start+x.Wall {
				continue
			}
			more, ok := covers(tr, r, x)
			if ok && (best < 0 || more < least || more == least && r.Start+r.Wall < all[best].Start+all[best].Wall) {
				best, least = i, more
			}
		}
		if best < 0 {
			v.failf("no inferred request around the marked %s from %d for %d ns", x.Route, x.Start, x.Wall)
			continue
		}
		taken[best] = true
		r := all[best]
		if r.Wall-x.Wall > longest {
			v.failf("%s: inferred request of %d ms around a marked one of %d ms", x.Route, r.Wall/1e6, x.Wall/1e6)
		}
		out[x.Route] = append(out[x.Route], r)
	}
	return out
}

// covers reports whether an inferred request has all that a marked one did at
// places, and by how much longer its handler waited: not at all, for the one that the
// marked one lies in.
func covers(tr *exectrace.Trace, inferred, marked exectrace.Request) (more int64, ok bool) {
	for _, m := range marked.Spent {
		if m.Stack != 0 && !slices.ContainsFunc(inferred.Spent, func(s exectrace.Spent) bool {
			return s.State == m.State && s.Stack == m.Stack && s.Time >= m.Time
		}) {
			return 0, false
		}
	}
	return waited(tr, inferred) - waited(tr, marked), true
}

// waited is the time of a request in waits and calls below the handler.
func waited(tr *exectrace.Trace, r exectrace.Request) (sum int64) {
	for _, s := range r.Spent {
		if on(tr, s.Stack, "main.(*bench).handle.func1") {
			sum += s.Time
		}
	}
	return sum
}
