package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// growth is by how much of what is alive the heap grows between two collections, where that is
// little and collecting costs: GOGC is low, or GOMEMLIMIT is near to what is alive.
func growth(m *model.Model) (float64, bool) {
	live, known := m.Ev.GC.HeapLive.Get()
	goal, also := m.Ev.GC.HeapGoal.Get()
	if !known || !also || live <= 0 || m.GCShare < gcBusy {
		return 0, false
	}
	by := max(0, goal/live-1)
	return by, by < tightGrowth
}

// paced adds to a finding about garbage that collections come too often for it, with the setting that makes them.
func paced(m *model.Model, f *unpark.Finding) {
	by, tight := growth(m)
	if !tight || f.Class != unpark.ClassGC && f.Class != unpark.ClassAlloc {
		return
	}
	r := unpark.Remedy{
		Title: fmt.Sprintf("Let the heap grow further between collections: raise GOGC, or a GOMEMLIMIT that is near; it grows by %s of what is alive", units.Say(by, "ratio")),
		Why:   "each collection walks all that is alive; GOGC=100, the default, waits until as much again was allocated",
		Risk:  "more memory: at GOGC=100 up to twice what is alive",
	}
	gc := m.Ev.GC
	switch limit, limited := nearLimit(gc); {
	case limited:
		f.Title += ", and GOMEMLIMIT is near what is alive"
		r.Title = fmt.Sprintf("Raise GOMEMLIMIT, which is %s: with %s alive the heap may grow by %s of that between two collections", units.Say(limit, "B"), units.Say(gc.HeapLive.Or(0), "B"), units.Say(by, "ratio"))
		r.Why = "near its limit the runtime collects however little was allocated since, up to half of the CPU; what goroutines, stacks and the runtime itself take counts as well"
		r.Risk = "more memory, up to the limit; where the machine has no more, less must be alive"
		f.Facts = append(f.Facts, fact("GOMEMLIMIT", limit, "B", "runtime/metrics"))
	case gc.GOGC.Or(0) >= usualPace:
		return // live heap and goal are of two cycles: where one follows another at once, the next has begun between two readings
	case gc.GOGC.Or(0) > 0:
		f.Title += fmt.Sprintf(", and GOGC is %.0f", gc.GOGC.Or(0))
		r.Title = fmt.Sprintf("Raise GOGC, which is %.0f: the heap may grow by %s of what is alive between two collections", gc.GOGC.Or(0), units.Say(by, "ratio"))
		f.Facts = append(f.Facts, fact("GOGC", gc.GOGC.Or(0), "%", "runtime/metrics"))
	}
	f.Facts = append(f.Facts, fact("the heap may grow between two collections by", by, "ratio", heapFrom(m)))
	f.Remedies = append([]unpark.Remedy{r}, f.Remedies...)
}

// nearLimit is GOMEMLIMIT, where that and not GOGC says when the next collection begins: the runtime takes the lower goal of the two
// (runtime/mgcpacer.go, heapGoalInternal).
func nearLimit(gc facts.GC) (limit float64, near bool) {
	limit, set := gc.MemoryLimit.Get()
	percent, known := gc.GOGC.Get()
	if !set || !known {
		return 0, false
	}
	return limit, percent < 0 || gc.HeapGoal.Or(0) < (1+atPercent*percent/100)*gc.HeapLive.Or(0)
}
