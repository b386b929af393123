package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
)

// runsUnder makes a function the culprit that runs while something is held.
func runsUnder(f *unpark.Finding, o owner.Owner) {
	name(f, o)
	f.Facts = append(f.Facts, fact("CPU of "+short(o.Culprit.Function)+" while it is held", o.Value, "s", "cpu.pb.gz"))
}

// takeCPU makes CPU, in seconds, a cost of the finding.
func takeCPU(m *model.Model, f *unpark.Finding, cpu float64) {
	cost := m.CPUCost(m.CPUShare(cpu))
	f.Cost.CPUPerRequest, f.Cost.Cores = cost.CPUPerRequest, cost.Cores
}

// cheaper is the way out that saves the hold and the CPU.
func cheaper(o owner.Owner, held string) unpark.Remedy {
	return unpark.Remedy{
		Title: fmt.Sprintf("Give %s less to do, or make it cheaper: it runs while %s is held", short(o.Culprit.Function), held),
		Why:   "the queue shrinks with the hold, and the CPU is saved as well",
	}
}

// blamePlace names what is computed while the places of a pool are held. Where processors
// are short, they are why that takes long.
func blamePlace(m *model.Model, f *unpark.Finding, p model.Wait) {
	if p.Under == nil || m.Short {
		return
	}
	f.Title += "; " + short(p.Under.Culprit.Function) + " runs while it is held"
	f.Way = nil // to where it waits
	runsUnder(f, *p.Under)
	takeCPU(m, f, p.Under.Value)
	f.Remedies = append([]unpark.Remedy{cheaper(*p.Under, "a place")}, f.Remedies...)
}

// insidePlace is for CPU that is spent while the places of a pool are held.
func insidePlace(m *model.Model, mine, other unpark.Finding) bool {
	if m.Short {
		return false
	}
	for _, p := range m.Pool {
		if p.Under == nil || mine.Waiter == nil || p.Function() != mine.Waiter.Function || other.Culprit == nil {
			continue
		}
		of := other.Culprit.Function
		return m.Ev.CPU.Tree.Between(p.Within, of) >= mostOfCause*m.Ev.CPU.Tree.Through(of)
	}
	return false
}
