package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
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

// paced adds to a finding about garbage that collections come too often for it.
func paced(m *model.Model, f *unpark.Finding) {
	by, tight := growth(m)
	if !tight || f.Class != unpark.ClassGC && f.Class != unpark.ClassAlloc {
		return
	}
	f.Facts = append(f.Facts, fact("the heap may grow between two collections by", by, "ratio", heapFrom(m)))
	f.Remedies = append([]unpark.Remedy{{
		Title: fmt.Sprintf("Let the heap grow further between collections: raise GOGC, or a GOMEMLIMIT that is near; it grows by %s of what is alive", units.Say(by, "ratio")),
		Why:   "each collection walks all that is alive; GOGC=100, the default, waits until as much again was allocated",
		Risk:  "more memory: at GOGC=100 up to twice what is alive",
	}}, f.Remedies...)
}
