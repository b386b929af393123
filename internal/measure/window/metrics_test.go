package window

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestDifference(t *testing.T) {
	read := func(text string) reading {
		var r reading
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := read(`{"/gc/cycles/total:gc-cycles": 10, "/gc/heap/allocs:bytes": 1000,
		"/sched/latencies:seconds": {"counts": [5, 0, 0], "buckets": [null, 0.001, 0.002, null]}}`)
	last := read(`{"/gc/cycles/total:gc-cycles": 14, "/gc/heap/allocs:bytes": 900, "/gc/heap/live:bytes": 7,
		"/sched/latencies:seconds": {"counts": [5, 98, 2], "buckets": [null, 0.001, 0.002, null]}}`)
	m := difference(first, last)
	if v, ok := m.GCCycles.Get(); !ok || v != 4 {
		t.Errorf("cycles %v, want 4", m.GCCycles)
	}
	if m.AllocBytes.Known() {
		t.Error("a counter that ran backwards belongs to another process: unknown, not negative")
	}
	if v, ok := m.HeapLive.Get(); !ok || v != 7 {
		t.Errorf("live %v, want 7", m.HeapLive)
	}
	if v, ok := m.SchedP99.Get(); !ok || v != 0.002 {
		t.Errorf("p99 %v, want 0.002", m.SchedP99)
	}
	if v, ok := m.SchedWait.Get(); !ok || math.Abs(v-8*(98*0.0015+2*0.002)) > 1e-9 {
		t.Errorf("sum %v", m.SchedWait)
	}
	if d := difference(nil, last); d.GCCycles.Known() {
		t.Error("a difference without a first reading is known")
	}
}

func TestLatenciesOfAnotherShape(t *testing.T) {
	p99, sum := latencies(metric{Counts: []float64{1}, Buckets: []float64{0, 1}}, metric{Counts: []float64{1, 2}, Buckets: []float64{0, 1, 2}})
	if p99.Known() || sum.Known() {
		t.Error("histograms of different shape were subtracted")
	}
}

// TestSettings: GOGC that is off is a number that no goal has, and a limit that is not set is none.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		text        string
		gogc, limit unpark.Number
	}{
		{`{"/gc/gogc:percent": 100, "/gc/gomemlimit:bytes": 9223372036854775807}`, unpark.Num(100), unpark.Number{}},
		{`{"/gc/gogc:percent": 18446744073709551615, "/gc/gomemlimit:bytes": 67108864}`, unpark.Num(-1), unpark.Num(64 << 20)},
		{`{}`, unpark.Number{}, unpark.Number{}},
	} {
		var r reading
		if err := json.Unmarshal([]byte(c.text), &r); err != nil {
			t.Fatal(err)
		}
		if m := difference(r, r); m.GOGC != c.gogc || m.MemoryLimit != c.limit {
			t.Errorf("%s: GOGC %v, limit %v", c.text, m.GOGC, m.MemoryLimit)
		}
	}
}
