package diagnose

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
)

// TestDoLess: the general advice about a function says what most of it is, in what it calls and in what the runtime does for it; of
// memory that is cleared, to clear less. A function that computes itself has no such part.
func TestDoLess(t *testing.T) {
	for name, c := range map[string]struct {
		calls, runtime map[string]float64
		want           string
		facts          int
	}{
		"calls and a map":      {map[string]float64{"time.After": 4.8, "fmt.Sprintf": 0.9}, map[string]float64{"runtime.mapassign_faststr": 2.2}, "Do less in app.sum, of which 48 % is time.After and 22 % is runtime.mapassign_faststr: hoist", 2},
		"clears its buffer":    {nil, map[string]float64{"runtime.memclrNoHeapPointers": 9}, "Clear and copy less memory in app.sum: 90 % of it is runtime.memclrNoHeapPointers", 1},
		"clears a little":      {nil, map[string]float64{"runtime.memclrNoHeapPointers": 3}, "Do less in app.sum, of which 30 % is runtime.memclrNoHeapPointers: hoist", 1},
		"computes itself":      {map[string]float64{"fmt.Sprintf": 1.9}, nil, "Do less in app.sum: hoist", 1},
		"most is one callee's": {map[string]float64{"fmt.Sprintf": 6}, nil, "Call fmt.Sprintf less from app.sum", 1},
	} {
		root := &facts.Node{Site: unpark.Site{Function: "app.sum"}, App: true, Value: 10, Runtime: c.runtime}
		tree := facts.Tree{Total: 10, Roots: []*facts.Node{root}}
		m := model.New(facts.Evidence{Seconds: 10, CPU: facts.CPU{Sampled: unpark.Num(10), Cores: unpark.Num(1), RequestPath: unpark.Num(10), Tree: tree}})
		o := owner.Owner{Culprit: root.Site, App: true, Value: 10}
		for f, v := range c.calls {
			o.Into = append(o.Into, facts.SiteSum{Site: unpark.Site{Function: f}, Value: v})
		}
		slices.SortFunc(o.Into, func(a, b facts.SiteSum) int { return cmp.Compare(b.Value, a.Value) })
		f := cpuFinding(m, o, 1, unpark.High, unpark.Cost{})
		if !strings.HasPrefix(f.Remedies[0].Title, c.want) {
			t.Errorf("%s: %q", name, f.Remedies[0].Title)
		}
		parts := 0
		for _, fact := range f.Facts {
			if strings.HasPrefix(fact.Text, "part of it in") {
				parts++
			}
		}
		if parts != c.facts {
			t.Errorf("%s: %d parts, %+v", name, parts, f.Facts)
		}
	}
}
