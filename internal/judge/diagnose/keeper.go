package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/roles"
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
	if p.Aside != nil {
		blameAside(m, f, p)
		return
	}
	if p.Under == nil || m.Short {
		return
	}
	f.Title += "; " + short(p.Under.Culprit.Function) + " runs while it is held"
	f.Way = nil // to where it waits
	runsUnder(f, *p.Under)
	takeCPU(m, f, p.Under.Value)
	f.Remedies = append([]unpark.Remedy{cheaper(*p.Under, "a place")}, f.Remedies...)
}

// blameAside names the goroutine that serves no request and has the place for which requests wait, and what it does with it.
func blameAside(m *model.Model, f *unpark.Finding, p model.Wait) {
	at := holding(p.Aside)
	by := p.Aside[at]
	f.Title += "; " + short(by.Function) + " has it meanwhile, on a goroutine of its own"
	f.Holder, f.Culprit, f.Way = pointer(by), pointer(by), nil
	for _, s := range slices.Backward(p.Aside[at:]) {
		f.Way = append(f.Way, unpark.Part{Site: s, Share: 1})
	}
	if cpu := m.Ev.CPU.Tree.Through(by.Function); cpu > 0 {
		takeCPU(m, f, cpu)
		f.Facts = append(f.Facts, fact("CPU of "+short(by.Function), cpu, "s", "cpu.pb.gz"))
	}
	f.Remedies = append([]unpark.Remedy{{
		Title: "Let " + short(by.Function) + " have it for less time: less work, or a small part at a time with room for requests between",
		Why:   "it runs beside the requests, and all that come meanwhile wait until it is done",
		Risk:  "what it does is done later, or seen half done",
	}}, f.Remedies...)
}

// holding is the index of the innermost function on a stack that is not Go's own.
func holding(stack []unpark.Site) int {
	return max(0, slices.IndexFunc(stack, func(s unpark.Site) bool {
		return !roles.Is(s.Function, roles.Standard) && !roles.Is(s.Function, roles.Low)
	}))
}

// insidePlace is for CPU that is spent while the places of a pool are held.
func insidePlace(m *model.Model, mine, other unpark.Finding) bool {
	if m.Short {
		return false
	}
	for _, p := range m.Pool {
		if p.Under == nil && p.Aside == nil || mine.Waiter == nil || p.Function() != mine.Waiter.Function || other.Culprit == nil {
			continue
		}
		of, within := other.Culprit.Function, p.Within
		if p.Aside != nil {
			within = p.Aside[holding(p.Aside)].Function
		}
		return m.Ev.CPU.Tree.Between(within, of) >= mostOfCause*m.Ev.CPU.Tree.Through(of)
	}
	return false
}
