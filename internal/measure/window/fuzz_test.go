package window

import (
	"encoding/json"
	"testing"
)

// FuzzMetrics: whatever a target answers on the metrics page, two readings give
// figures or none, and never a panic.
func FuzzMetrics(f *testing.F) {
	f.Add([]byte(`{"/gc/cycles/total:gc-cycles": 10}`), []byte(`{"/gc/cycles/total:gc-cycles": 12}`))
	f.Add([]byte(`{"/sched/latencies:seconds": {"counts": [5, 0], "buckets": [null, 0.001, null]}}`),
		[]byte(`{"/sched/latencies:seconds": {"counts": [5, 3], "buckets": [null, 0.001, null]}}`))
	f.Add([]byte(`{"/sched/latencies:seconds": {"counts": [1], "buckets": []}}`), []byte(`null`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var first, last reading
		if json.Unmarshal(a, &first) != nil || json.Unmarshal(b, &last) != nil {
			return
		}
		m := difference(first, last)
		if v, ok := m.GCCycles.Get(); ok && v < 0 {
			t.Errorf("%v collections", v)
		}
	})
}
