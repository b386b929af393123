package model

import "github.com/unpark-go/unpark/internal/facts"

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
