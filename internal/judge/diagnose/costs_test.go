package diagnose_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
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
	ev = evidence(t, "setup/near-miss")
	limit, findings, _ = diagnose.Verdict(ev, nil)
	if costs := diagnose.Costs(model.New(ev), limit, findings); len(costs) != 5 {
		t.Errorf("%d costs, want 5", len(costs))
	}
}
