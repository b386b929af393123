package diagnose_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestRules rejects a rule that is not documented or has no fixtures.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	name := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	for _, r := range diagnose.Rules() {
		if !name.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("rule ID %q is malformed or not the only one", r.ID)
		}
		seen[r.ID] = true
		if len(r.Doc) < 80 || r.Title == "" || r.Class == "" || r.Run == nil || len(r.Needs) == 0 {
			t.Errorf("rule %q: it needs a title, a class, what it reads, a function, and a doc that says when it fires and when it is silent", r.ID)
		}
		for _, f := range []string{"positive.json", "near-miss.json"} {
			if _, err := os.Stat(filepath.Join("testdata", r.ID, f)); err != nil {
				t.Errorf("rule %q: %v", r.ID, err)
			}
		}
	}
}

// TestRulesOnNothing: no rule may see anything, or panic, where nothing was
// measured.
func TestRulesOnNothing(t *testing.T) {
	empty := []facts.Evidence{
		{},
		{Seconds: 10, Requests: unpark.Num(0)},
		{Seconds: 10, Window: unpark.Window{Load: &unpark.Load{}}},
		{Seconds: 10, Requests: unpark.Num(100), Window: unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, Requests: 100}}},
	}
	for i, ev := range empty {
		for _, r := range diagnose.Rules() {
			if got := r.Run(model.New(ev)); len(got) > 0 {
				t.Errorf("case %d: rule %s found %+v", i, r.ID, got)
			}
		}
		limit, _, notices := diagnose.Verdict(ev, nil)
		if limit.Kind != unpark.LimitUnknown || limit.Why == "" {
			t.Errorf("case %d: limit %+v, want unknown with a reason", i, limit)
		}
		if len(notices)+len(diagnose.Unsaid(model.New(ev))) == 0 {
			t.Errorf("case %d: nothing said about missing kinds", i)
		}
	}
}
