package predict

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestAmongOthers: on a machine that others fill, what a request waits for processors may go with its CPU, and may stay;
// where nothing else computes all that has no name stays.
func TestAmongOthers(t *testing.T) {
	of := func(busy float64) span {
		s := full2(func(ev *facts.Evidence) {
			ev.Target.CPUs = nil
			ev.Window.Machine = unpark.Machine{CPUs: 2, Busy: unpark.Num(busy)}
			ev.Window.Load.GeneratorCPU = unpark.Num(0.1)
			ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(0.4), unpark.Num(6), unpark.Num(5.8)
			ev.Window.Load.AchievedRPS, ev.Window.Load.OfferedRPS, ev.Requests = 400, 400, unpark.Num(6000)
			ev.Window.Level.Connections = 10
		})
		c := ofCPU(0.9)
		c.binds = false
		s.limit = unpark.LimitUnknown
		return closedLoop{change{s, c}}.throughput()
	}
	crowded, quiet := of(2), of(0.5)
	if crowded.high < 3 || crowded.low > quiet.high {
		t.Errorf("others fill the machine: %+v, want from hardly anything to several times", crowded)
	}
	if quiet.high > 1.5 {
		t.Errorf("nothing else computes: %+v", quiet)
	}
}
