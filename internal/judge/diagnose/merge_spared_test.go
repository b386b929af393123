package diagnose

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestSparedTogether: the CPU and the garbage of calls that one remedy does without are one finding, that of the larger part of the
// processors; of other calls, in other functions, or without such a remedy they stay two.
func TestSparedTogether(t *testing.T) {
	of := func(class unpark.Class, site, title string, cores float64, spares ...string) unpark.Finding {
		return unpark.Finding{
			Class: class, Site: unpark.Site{Function: site}, Culprit: &unpark.Site{Function: "rules.compile"}, Cost: unpark.Cost{Cores: unpark.Measured(cores, "cores", 9)},
			Remedies: []unpark.Remedy{{Title: title, Spares: spares}},
		}
	}
	garbage := of(unpark.ClassAlloc, "main.eval", "Compile rules once", 0.2, "rules.Compile")
	garbage.Cost.BytesPerRequest = unpark.Measured(4096, "B/req", 9)
	cpu := of(unpark.ClassCPU, "main.eval", "Compile rules once", 0.9, "rules.Compile")
	for _, order := range [][]unpark.Finding{{garbage, cpu}, {cpu, garbage}} {
		got := sparedTogether(order)
		if len(got) != 1 || got[0].Class != unpark.ClassCPU || got[0].Cost.BytesPerRequest.Value.Or(0) != 4096 || len(got[0].Facts) != 1 {
			t.Errorf("one cause: %+v", got)
		}
	}
	for name, other := range map[string]unpark.Finding{
		"another function": of(unpark.ClassCPU, "main.other", "Compile rules once", 0.9, "rules.Compile"),
		"another remedy":   of(unpark.ClassCPU, "main.eval", "Parse queries once", 0.9, "query.Parse"),
		"a wait":           of(unpark.ClassDownstream, "main.eval", "Compile rules once", 0, "rules.Compile"),
	} {
		if got := sparedTogether([]unpark.Finding{garbage, other}); len(got) != 2 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := sparedTogether([]unpark.Finding{of(unpark.ClassAlloc, "main.eval", "Use a pool", 0.2), of(unpark.ClassCPU, "main.eval", "Use a pool", 0.9)}); len(got) != 2 {
		t.Errorf("nothing that is spared: %+v", got)
	}
}
