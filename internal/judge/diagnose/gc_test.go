package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// What is told as the runtime's own account comes from the runtime's own counters,
// and only then two measurements agree.
func TestTwoAccountsOfCollection(t *testing.T) {
	for _, tt := range []struct {
		name string
		own  unpark.Number
		told bool
		want unpark.Confidence
	}{
		{"both agree", unpark.Num(0.25), true, unpark.High},
		{"they contradict each other", unpark.Num(0.9), true, unpark.Low},
		{"the profile alone", unpark.Number{}, false, unpark.Medium},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Shares.GC, ev.GC.CPUShare = unpark.Num(2), unpark.Num(0.3), tt.own
		ev.GC.HeapLive = unpark.Num(1 << 20)
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassGC, findings)
		if len(f) != 1 || f[0].Confidence != tt.want {
			t.Errorf("%s: %+v, want confidence %s", tt.name, f, tt.want)
			continue
		}
		told := false
		for _, fact := range f[0].Facts {
			told = told || strings.Contains(fact.Text, "own account")
			if fact.Source == "runtime/metrics" && !tt.told {
				t.Errorf("%s: %q has no such source", tt.name, fact.Text)
			}
		}
		if told != tt.told {
			t.Errorf("%s: facts %+v", tt.name, f[0].Facts)
		}
	}
}

// TestGarbageThatFillsTheCPU: a verdict that garbage is the limit has its finding, also
// where the collector alone takes less than a quarter; with its setting as the first way
// out, because no allocation makes most of it.
func TestGarbageThatFillsTheCPU(t *testing.T) {
	for _, c := range []struct {
		name       string
		cores      float64 // of 3
		gc, malloc float64
		want       unpark.LimitKind
	}{
		{"a third, of a full CPU", 2.95, 0.22, 0.12, unpark.LimitGC},
		{"a fifth of it", 2.95, 0.14, 0.06, unpark.LimitCPU},
		{"a third, of an idle one", 0.9, 0.22, 0.12, unpark.LimitNetwork},
	} {
		ev := calm()
		ev.Waits[0].Delay = 90 // of 100 that requests take
		ev.CPU.Cores, ev.CPU.Sampled = unpark.Num(c.cores), unpark.Num(10*c.cores)
		ev.CPU.Shares.GC, ev.CPU.Shares.Malloc = unpark.Num(c.gc), unpark.Num(c.malloc)
		limit, findings, _ := diagnose.Verdict(ev, nil)
		found := of(unpark.ClassGC, findings)
		if limit.Kind != c.want || (len(found) == 1) != (c.want == unpark.LimitGC) {
			t.Errorf("%s: limit %s (%s), %d findings", c.name, limit.Kind, limit.Why, len(found))
			continue
		}
		if len(found) == 1 && !strings.HasPrefix(found[0].Remedies[0].Title, "Raise GOGC") {
			t.Errorf("%s: first %q", c.name, found[0].Remedies[0].Title)
		}
	}
}

// TestCollectionsBesideGarbage: that one function allocates most is no cause of collections that are asked for.
func TestCollectionsBesideGarbage(t *testing.T) {
	ev := calm()
	ev.CPU.Cores, ev.CPU.Shares.GC, ev.CPU.Shares.Malloc = unpark.Num(2.9), unpark.Num(0.6), unpark.Num(0.01)
	root := &facts.Node{Site: fn("app.rows"), App: true, Value: 1e9}
	ev.AllocTree = facts.Tree{Total: 1e9, Roots: []*facts.Node{root}}
	ev.Allocs = []facts.AllocSite{{Site: fn("app.rows"), Side: unpark.RequestPath, Bytes: 1e9, Objects: 1e5}}
	_, before, _ := diagnose.Verdict(ev, nil)
	if len(before) == 0 || before[0].Class != unpark.ClassAlloc {
		t.Fatalf("of garbage: %+v", before)
	}
	ev.Goroutines = []facts.GoroutineGroup{{
		Class: unpark.WaitUnknown, Side: unpark.RequestPath, Site: fn("app.release"), Mean: 8, Snapshots: 16,
		Stack: stack("runtime.gopark", "runtime.gcWaitOnMark", "runtime.GC", "app.release", "net/http.(*conn).serve"),
	}}
	_, findings, _ := diagnose.Verdict(ev, nil)
	asked := of(unpark.ClassGC, findings)
	if len(asked) != 1 || asked[0].Site.Function != "app.release" {
		t.Fatalf("of collections that are asked for: %+v", findings)
	}
	for _, f := range of(unpark.ClassAlloc, findings) {
		if f.Cost.Cores.Value.Or(1) > 0.1*asked[0].Cost.Cores.Value.Or(0) {
			t.Errorf("what is collected whatever is allocated is put down to %s: %+v", f.Title, f.Cost)
		}
	}
}

// TestCollectionsThatAreAskedFor: where a goroutine waits for one collection after the other that
// it asked for, that call is the cause, and no allocation; once in a while it is not.
func TestCollectionsThatAreAskedFor(t *testing.T) {
	for met, asked := range map[float64]bool{0.8: true, 0.02: false} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Shares.GC = unpark.Num(2), unpark.Num(0.4)
		ev.Goroutines = []facts.GoroutineGroup{{
			Class: unpark.WaitUnknown, Side: unpark.Background, Site: fn("app.watch"), Mean: met, Snapshots: 16,
			Stack: stack("runtime.gopark", "runtime.gcWaitOnMark", "runtime.GC", "runtime/debug.freeOSMemory", "runtime/debug.FreeOSMemory", "app.watch"),
		}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		found := of(unpark.ClassGC, findings)
		if len(found) != 1 {
			t.Fatalf("met %v: %+v", met, findings)
		}
		f := found[0]
		named := f.Site.Function == "app.watch" && f.Culprit != nil && f.Culprit.Function == "runtime/debug.FreeOSMemory"
		if named != asked || strings.Contains(f.Remedies[0].Title, "FreeOSMemory") != asked {
			t.Errorf("met %v: %s in %+v of %+v: %+v", met, f.Title, f.Site, f.Culprit, f.Remedies)
		}
	}
}
