package predict

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestKept: what stays is at most the remainder of the shares, at least what its
// socket calls take when they are warm, and gets cheaper with what is removed.
func TestKept(t *testing.T) {
	s := full2()
	last := 1.0
	for _, f := range []float64{0, 0.1, 0.5, 0.9, 0.99, 1} {
		k := change{s, ofCPU(f)}.cpuLeft(1 / max(1-f, 1e-3)).target
		left := 1e-3 * (1 - f)
		if k.high > max(left, 10e-6)+1e-12 || k.low > k.value || k.value > k.high {
			t.Errorf("f = %v: kept %+v of %v", f, k, left)
		}
		if rel := k.low / max(left, 10e-6); left > 20e-6 && rel > last+1e-9 {
			t.Errorf("f = %v: the cheapest is %.3f of the remainder, more than at a smaller f (%.3f)", f, rel, last)
		} else {
			last = rel
		}
		// 1.2 s of socket calls in 30,000 requests are 40 µs each, 10 µs when warm.
		if k.low < 10e-6-1e-12 {
			t.Errorf("f = %v: %v is less than the socket calls take", f, k.low)
		}
	}
	// At the same rate as before nothing gets warmer.
	if k := (change{s, ofCPU(0.5)}).cpuLeft(1).target; math.Abs(k.low-0.5e-3) > 1e-9 || math.Abs(k.high-0.5e-3) > 1e-9 {
		t.Errorf("the rate stays, and what stays costs %+v", k)
	}
}

// TestKeptOfAnIdleProcess: what a process costs by the second is not what a request
// costs, and goes down when there are more of them.
func TestKeptOfAnIdleProcess(t *testing.T) {
	s := full2()
	s.rate, s.cpu = 20, 400e-6
	s.m.Requests = 300
	s.m.Ev.CPU = facts.CPU{Cores: unpark.Num(0.008), Sampled: unpark.Num(0.1), RequestPath: unpark.Num(0)}
	s.m.Ev.Signals = nil
	k := change{s, cut{under: -1}}.cpuLeft(500).target
	if k.high != 400e-6 || k.low > 50e-6 || k.low < wireCost || k.value < k.low || k.value > k.high {
		t.Errorf("%+v", k)
	}
}
