package model

import (
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// inDB is a place in the code of a library.
func inDB(function string) unpark.Site {
	return unpark.Site{Function: function, File: "/go/pkg/mod/example.com/db@v1.0.0/commit.go"}
}

// groupCommit is ten seconds of 32 connections whose requests wait for one goroutine that commits for all, which waits in
// a library for its goroutine, which dumps find in a sync half of the time.
func groupCommit() facts.Evidence {
	commit := unpark.Site{Function: "store.(*owner).commit"}
	own := []unpark.Site{{Function: "sync.(*WaitGroup).Wait"}, inDB("example.com/db.(*Batch).Commit"), commit, {Function: "store.(*owner).own"}}
	wrapped := append(slices.Clone(own), unpark.Site{Function: "store.newOwner.gowrap1"})
	do := unpark.Site{Function: "store.(*owner).Do"}
	syncs := []unpark.Site{{Function: "os.(*File).Sync"}, inDB("example.com/db.(*file).SyncData"), inDB("example.com/db.(*log).flush")}
	l := unpark.Latency{N: 100_000, Mean: 0.0032, Max: 0.05}
	always := slices.Repeat([]float64{1}, 16)
	return facts.Evidence{
		Seconds: 10, Requests: unpark.Num(100_000),
		Window: unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 10_000, Response: l, Service: l}},
		CPU:    facts.CPU{Cores: unpark.Num(1), Allowed: unpark.Num(2)},
		Waits: []facts.Wait{
			{
				Class: unpark.WaitSelect, Side: unpark.RequestPath, Waiter: do, Delay: 200, Count: 100_000, Source: unpark.KindBlock.File(),
				Stack: []unpark.Site{{Function: "runtime.selectgo"}, do, {Function: "net/http.(*conn).serve"}},
			},
			{Class: unpark.WaitGroup, Side: unpark.RequestPath, Waiter: commit, Delay: 8, Count: 5000, Source: unpark.KindBlock.File(), Stack: wrapped},
		},
		Goroutines: []facts.GoroutineGroup{
			{Class: unpark.WaitGroup, Side: unpark.RequestPath, Stack: own, Mean: 1, Series: always},
			{Class: unpark.WaitSyscall, Side: unpark.Background, Site: syncs[1], Stack: syncs, Mean: 0.5, Series: slices.Repeat([]float64{0, 1}, 8)},
		},
	}
}

// TestUntraced: without a trace, requests wait for the disk where the one goroutine of their package waits in a library for its
// goroutine, and that syncs.
func TestUntraced(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*facts.Evidence)
		share  float64 // of the requests' wait, the sync; 0: it is not for one
	}{
		{"one goroutine commits for all", func(*facts.Evidence) {}, 0.5},
		{"requests commit themselves", func(ev *facts.Evidence) {
			ev.Waits[0].Stack = slices.Insert(ev.Waits[0].Stack, 1, inDB("example.com/db.(*Batch).Commit"))
			ev.Waits = ev.Waits[:1]
		}, 0.5},
		{"the sync takes too little", func(ev *facts.Evidence) { ev.Goroutines[1].Mean = 0.2 }, 0},
		{"another library syncs", func(ev *facts.Evidence) {
			ev.Goroutines[1].Stack[2].File = "/go/pkg/mod/example.com/log@v1.0.0/log.go"
		}, 0},
		{"two of them commit", func(ev *facts.Evidence) { ev.Goroutines[0].Series = slices.Repeat([]float64{2}, 16) }, 0},
		{"it is of another package", func(ev *facts.Evidence) { ev.Waits[1].Stack[3].Function = "jobs.(*owner).own" }, 0},
		{"it is idle most of the time", func(ev *facts.Evidence) { ev.Waits[1].Delay = 4 }, 0},
		{"it computes", func(ev *facts.Evidence) {
			ev.CPU.Tree.Roots = []*facts.Node{{Site: unpark.Site{Function: "store.(*owner).own"}, Value: 4}}
		}, 0},
		{"too few dumps", func(ev *facts.Evidence) {
			for i := range ev.Goroutines {
				ev.Goroutines[i].Series = ev.Goroutines[i].Series[:2]
			}
		}, 0},
		{"a trace says nothing of it", func(ev *facts.Evidence) { ev.Tracing = &unpark.Tracing{} }, 0},
	} {
		ev := groupCommit()
		c.change(&ev)
		m := New(ev)
		i := slices.IndexFunc(m.Behind, func(b Wait) bool { return b.Function() == "store.(*owner).Do" })
		if i >= 0 != (c.share > 0) {
			t.Errorf("%s: waits for a sync are %+v", c.name, m.Behind)
		}
		if i < 0 {
			continue
		}
		b := m.Behind[i]
		if b.Delay != 200 || b.Calls.Call.Function != "os.(*File).Sync" || b.Calls.Share != c.share {
			t.Errorf("%s: %+v", c.name, b)
		}
		if len(ev.Waits) == 2 && (len(b.Between) != 1 || b.Between[0].Function() != "store.(*owner).commit") {
			t.Errorf("%s: between them is %+v", c.name, b.Between)
		}
	}
}
