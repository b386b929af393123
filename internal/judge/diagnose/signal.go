package diagnose

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// hotspot is the CPU of recognised library frames at one application function.
type hotspot struct {
	site  unpark.Site
	leaf  unpark.Site
	stack []unpark.Site
	cpu   float64 // s, of this function
	all   float64 // s, of all functions
}

// hotspots sums signals of the given sorts by the responsible function, largest
// first. A signal without an application frame belongs to its library frame.
func (r reading) hotspots(ids ...facts.SignalID) []hotspot {
	by := map[string]*hotspot{}
	top := map[string]float64{}
	var all float64
	for _, s := range r.ev.Signals {
		if !slices.Contains(ids, s.ID) || s.CPU <= 0 {
			continue
		}
		site := s.Site
		if site.IsZero() {
			site = s.Leaf
		}
		h := by[site.Function]
		if h == nil {
			h = &hotspot{}
			by[site.Function] = h
		}
		if s.CPU > top[site.Function] {
			top[site.Function] = s.CPU
			h.site, h.leaf, h.stack = site, s.Leaf, s.Stack
		}
		h.cpu += s.CPU
		all += s.CPU
	}
	out := make([]hotspot, 0, len(by))
	for _, h := range by {
		h.all = all
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b hotspot) int {
		return cmp.Or(cmp.Compare(b.cpu, a.cpu), cmp.Compare(a.site.Function, b.site.Function))
	})
	return out
}

// heaviest returns the function with most CPU under the signals, with the CPU of
// all functions: connections opened from several places are one habit.
func (r reading) heaviest(ids ...facts.SignalID) (hotspot, bool) {
	all := r.hotspots(ids...)
	if len(all) == 0 {
		return hotspot{}, false
	}
	h := all[0]
	h.cpu = h.all
	return h, true
}
