package slowdown

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestVanished: a site that is all that the service does, and nothing else binds. What
// is left of its time and CPU is said to be so little, and no less.
func TestVanished(t *testing.T) {
	s := cpuSubject(100e-6, unpark.Quantity{})
	e, _ := s.Conclude(bound(100e-6, 0, 1).observe(6, 40e-6, 1), 1)
	if v := e.Throughput.Value.Or(0); math.Abs(v-20) > 1e-9 {
		t.Errorf("throughput × %v", v)
	}
	if v := e.CPUPerRequest.Value.Or(0); math.Abs(v-0.02) > 1e-9 {
		t.Errorf("CPU × %v", v)
	}
}

// TestStraight: a bend that is certain and small is none.
func TestStraight(t *testing.T) {
	for off, bent := range map[float64]bool{0.9e-6: false, 1.1e-6: true} {
		var rounds []Round
		for range 6 {
			rounds = append(rounds, Round{
				{Gap: 100e-6, Calls: 1}, {Gap: 110e-6 + off, Delay: 10e-6, Calls: 1}, {Gap: 120e-6, Delay: 20e-6, Calls: 1},
			})
		}
		if e, _ := cpuSubject(50e-6, unpark.Quantity{}).Conclude(rounds, 1); e.Bent != bent {
			t.Errorf("%v off the line: bent %v, %+v", off, e.Bent, e.Bend)
		}
	}
}
