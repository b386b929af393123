package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func recordRule() Rule {
	return Rule{
		ID: "record", Title: "allocations that are recorded too often", Class: unpark.ClassCPU,
		Doc: "Reads the CPU below mallocgc that notes an allocation for the memory profile: walking the stack and looking it up, of any goroutine. " +
			"Fires from 5 % of the CPU: at the default of one allocation in 512 KiB it is less than a hundredth. Silent where CPU is not scarce and that takes little of a request.",
		Needs:      []unpark.Kind{unpark.KindCPU},
		Run:        runRecord,
		Supersedes: []Supersession{{Rule: "alloc", Same: recordsMost}, {Rule: "cpu", Same: recordsMost}},
	}
}

func runRecord(m *model.Model) []unpark.Finding {
	var total float64
	var worst facts.Signal
	for _, s := range m.Ev.Signals {
		if s.ID != facts.SignalRecord {
			continue
		}
		total += s.CPU
		if s.CPU > worst.CPU {
			worst = s
		}
	}
	share := m.CPUShare(total)
	cost := m.CPUCost(share)
	if share < recordShare || !m.CPUMatters() && cost.CPUPerRequest.Value.Or(0) < hotTime {
		return nil
	}
	return []unpark.Finding{{
		// What allocates is not the cause: the way to it stays out.
		Rule: "record", Class: unpark.ClassCPU, Site: worst.Site, Culprit: pointer(worst.Leaf), Path: []unpark.Site{worst.Leaf, worst.Site},
		Title: fmt.Sprintf("Recording allocations for the memory profile takes %s of the CPU", units.Say(share, "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: unpark.High, Cost: cost,
		Facts: []unpark.Fact{fact("CPU of noting where memory was allocated", total, "s", unpark.KindCPU.File())},
		Remedies: []unpark.Remedy{{
			Title: "Leave runtime.MemProfileRate at its default of 524288, or set it to 0 where no heap profile is read",
			Why:   "one allocation in so many bytes has its stack walked and looked up in a table under a lock; at 1 each one has",
			Risk:  "places that allocate little are no longer in the profile",
		}},
	}}
}

// recordsMost is for what costs no more than twice what recording does: its own part is not known.
func recordsMost(_ *model.Model, mine, other unpark.Finding) bool {
	return 2*mine.Cost.Cores.Value.Or(0) >= other.Cost.Cores.Value.Or(0)
}
