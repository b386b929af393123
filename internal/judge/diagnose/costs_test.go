package diagnose_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
	"github.com/unpark-go/unpark/internal/judge/model"
)

func TestCosts(t *testing.T) {
	flat := []string{"main.answer 17 %", "main.authorise 17 %", "main.load 17 %", "main.price 17 %", "main.route 17 %"}
	for _, c := range []struct {
		fixture string
		limit   unpark.LimitKind // as if; empty: as it is
		want    []string
	}{
		{"cpu/near-miss", "", flat},
		{"cpu/near-miss", unpark.LimitLock, nil}, // what the CPU goes to limits nothing
		{"cpu/positive", "", nil},                // one function is all of it, and a finding
		{"syscall/positive", "", nil},            // it is the kernel's
	} {
		ev := evidence(t, c.fixture)
		limit, findings, _ := diagnose.Verdict(ev, nil)
		if c.limit != "" {
			limit.Kind = c.limit
		}
		var got []string
		for _, f := range diagnose.Costs(model.New(ev), limit, findings) {
			got = append(got, fmt.Sprintf("%s %.0f %%", f.Site.Function, 100*f.Share.Or(0)))
			if f.Class != unpark.ClassCPU || !f.Cost.Cores.Known() {
				t.Errorf("%s: %+v", c.fixture, f)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, limit %s: %q, want %q", c.fixture, limit.Kind, got, c.want)
		}
	}
}

// TestCostsBesideSetup: what a finding tells of in a function is no part of its cost.
func TestCostsBesideSetup(t *testing.T) {
	ev := evidence(t, "setup/positive")
	limit, findings, _ := diagnose.Verdict(ev, nil)
	for _, f := range diagnose.Costs(model.New(ev), limit, findings) {
		if f.Site.Function == "main.price" {
			t.Errorf("%s has %v of the CPU beside what is set up there", f.Site.Function, f.Share)
		}
	}
	// The rest of a function does not go to what was set up.
	ev = evidence(t, "setup/positive")
	rest := unpark.Site{Function: "main.format"}
	for i := range ev.CPU.Sites {
		if s := &ev.CPU.Sites[i]; s.Site.Function == "main.price" { // three parts, one of which is made anew
			s.Callees[0].Value, s.Callees[1] = 0.5*s.Self, facts.SiteSum{Site: rest, Value: 0.4 * s.Self}
		}
	}
	limit, findings, _ = diagnose.Verdict(ev, nil)
	costs := diagnose.Costs(model.New(ev), limit, findings)
	i := slices.IndexFunc(costs, func(f unpark.Finding) bool { return f.Site.Function == "main.price" })
	if i < 0 {
		t.Fatalf("no cost is the rest of main.price: %+v", costs)
	}
	if len(costs[i].Into) != 1 || costs[i].Into[0].Site != rest {
		t.Errorf("the rest of main.price goes to %+v", costs[i].Into)
	}
	ev = evidence(t, "setup/near-miss")
	limit, findings, _ = diagnose.Verdict(ev, nil)
	if costs := diagnose.Costs(model.New(ev), limit, findings); len(costs) != 5 {
		t.Errorf("%d costs, want 5", len(costs))
	}
}

// TestNeedless: of a call that need not be made for each request a fifth of the CPU is enough
// to be a cause; of one that nothing is known of it is a cost. What a queue on the way tells is
// not told again.
func TestNeedless(t *testing.T) {
	for _, c := range []struct {
		name, calls string
		share       float64
		queue       bool
		want        bool
	}{
		{"statistics that stop the world", "runtime.ReadMemStats", 0.25, false, true},
		{"less of it", "runtime.ReadMemStats", 0.15, false, false},
		{"something that must be", "sort.Strings", 0.25, false, false},
		{"below a lock that requests queue for", "runtime.ReadMemStats", 0.25, true, false},
	} {
		ev := evidence(t, "cpu/near-miss")
		i := slices.IndexFunc(ev.CPU.Sites, func(s facts.CPUSite) bool { return s.Site.Function == "main.load" })
		s := &ev.CPU.Sites[i]
		s.Self = c.share * ev.CPU.Sampled.Or(0)
		s.Callees = []facts.SiteSum{{Site: unpark.Site{Function: c.calls}, Value: 0.9 * s.Self}}
		if c.queue {
			q := contended(50, 0.9)
			q.WaiterAll = stack("sync.(*Mutex).Lock", "app.(*Cache).Get", "main.load", "net/http.(*conn).serve")
			ev.Locks = append(ev.Locks, q)
		}
		_, findings, _ := diagnose.Verdict(ev, nil)
		got := slices.ContainsFunc(findings, func(f unpark.Finding) bool { return f.Rule == "cpu" && f.Site.Function == "main.load" })
		if got != c.want {
			t.Errorf("%s: told %v, want %v: %+v", c.name, got, c.want, findings)
		}
	}
}
