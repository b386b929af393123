package model

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// Allocation is what one function of the application allocates in the window on the
// request path, joined over lines.
type Allocation struct {
	Site    facts.AllocSite // the heaviest line
	Bytes   float64
	Objects float64
}

// allocations returns them, most bytes first.
func allocations(sites []facts.AllocSite) []Allocation {
	by := map[string]*Allocation{}
	for _, s := range sites {
		if s.Side != unpark.RequestPath || s.Bytes <= 0 {
			continue
		}
		a := by[s.Site.Function]
		if a == nil {
			a = &Allocation{}
			by[s.Site.Function] = a
		}
		if s.Bytes > a.Site.Bytes {
			a.Site = s
		}
		a.Bytes += s.Bytes
		a.Objects += s.Objects
	}
	return largest(by, func(a Allocation) (float64, string) { return a.Bytes, a.Site.Site.Function })
}

// allocated is the number of bytes allocated in the window, by every side.
func allocated(ev facts.Evidence) float64 {
	var sites float64
	for _, a := range ev.Allocs {
		sites += a.Bytes
	}
	return max(sites, ev.GC.AllocBytes.Or(0))
}

// CollectorShare is the share of the CPU that the collector takes for some bytes. It works
// in proportion to the bytes allocated: a cycle starts when the heap has grown by GOGC
// percent (runtime/mgcpacer.go).
func (m *Model) CollectorShare(bytes float64) float64 {
	if m.AllocatedBytes <= 0 {
		return 0
	}
	return m.GCShare * min(1, bytes/m.AllocatedBytes)
}
