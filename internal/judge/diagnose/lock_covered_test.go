package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestCleanerHoldsTheLock: what a function computes at the lines at which it holds a lock, for which requests wait longer than that, is one
// finding with the lock, also where its CPU is not most of the hold. It is two where the function computes outside of the lock as well,
// where the application calls it under a lock and can call it outside, and where requests hardly wait.
func TestCleanerHoldsTheLock(t *testing.T) {
	for _, c := range []struct {
		name       string
		computes   string // in app.(*Cache).clean, or called by it
		held, wait float64
		want       []string
	}{
		{"all of it under the lock", "app.(*Cache).clean", 4, 60, []string{"lock"}},
		{"half of it outside", "app.(*Cache).clean", 2, 60, []string{"cpu", "lock"}},
		{"called under the lock", "app.sum", 4, 60, []string{"cpu", "lock"}},
		{"a short queue", "app.(*Cache).clean", 4, 3, []string{"cpu", "lock"}},
	} {
		l := contended(c.wait, 0.95)
		l.Waiter, l.WaiterAll = fn("app.(*Cache).Get"), stack("sync.(*Mutex).Lock", "app.(*Cache).Get", "net/http.(*conn).serve")
		l.Holder, l.HolderAll = fn("app.(*Cache).clean"), stack("sync.(*Mutex).Unlock", "app.(*Cache).clean", "app.loop")
		l.HolderCPU, l.HeldCPU = 4, c.held
		l.Held = []facts.SiteSum{{Site: fn("time.Time.After"), Value: 0.5}}
		own := l // it waits for the lock at times itself, a line above
		own.Delay, own.Released, own.Count = 0.01, 0.01, 5
		own.Waiter = unpark.Site{Function: "app.(*Cache).clean", File: "/src/app/app.go", Line: 5}
		own.WaiterAll = []unpark.Site{fn("sync.(*Mutex).Lock"), own.Waiter, fn("app.loop")}
		ev := calm()
		ev.Locks = []facts.Lock{l, own}
		clean := &facts.Node{Site: fn("app.(*Cache).clean"), App: true, Value: 4}
		if after := (&facts.Node{Site: fn(c.computes), App: true, Value: 4, Caller: clean}); c.computes != clean.Site.Function {
			clean.Calls = []*facts.Node{after}
		}
		ev.CPU.Tree = facts.Tree{Total: 5, Roots: []*facts.Node{clean}}
		ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(2.9), unpark.Num(5), unpark.Num(5)
		_, findings, _ := diagnose.Verdict(ev, nil)
		var got []string
		for _, f := range findings {
			got = append(got, f.Rule)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			continue
		}
		if len(c.want) > 1 {
			continue
		}
		f := findings[0]
		if last := f.Remedies[len(f.Remedies)-1]; !f.Cost.CPUPerRequest.Value.Known() || f.Cost.Cores.Value.Known() || !strings.HasPrefix(last.Title, "Give app.(*Cache).clean less to do") {
			t.Errorf("%s: cost %+v, last %q", c.name, f.Cost, last.Title)
		}
	}
}
