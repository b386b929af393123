package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// heaviest returns the function with most CPU under the signals, with the CPU of
// all functions: calls from several places are one habit.
func heaviest(m *model.Model, ids ...facts.SignalID) (model.Hotspot, bool) {
	return summed(m.Hotspots(ofSorts(ids...)))
}

// summed is the largest with the CPU of all.
func summed(all []model.Hotspot) (model.Hotspot, bool) {
	if len(all) == 0 {
		return model.Hotspot{}, false
	}
	h := all[0]
	h.CPU = h.All
	return h, true
}

// kernelWork is the part of a function's time below recognised read and write
// calls.
func kernelWork(m *model.Model, h model.Function) float64 {
	var sum float64
	for _, s := range m.Hotspots(ofSorts(facts.SignalWrite, facts.SignalRead)) {
		if s.Site.Function == h.Site.Site.Function {
			sum += s.CPU
		}
	}
	return sum / h.Self
}

// ofSorts asks for signals of some sorts.
func ofSorts(ids ...facts.SignalID) func(facts.Signal) bool {
	return func(s facts.Signal) bool { return slices.Contains(ids, s.ID) }
}
