package model

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestScarce: on a machine that others fill, what a service saves it can use if it wants more than it gets; one that
// hardly computes waits for something else.
func TestScarce(t *testing.T) {
	for name, c := range map[string]struct {
		cores, busy float64 // of 2
		crowded     bool
		scarce      bool
	}{
		"others have most of a full machine":            {0.77, 2, true, true},
		"others have nearly all of a full machine":      {0.3, 2, false, false},
		"half of the machine is idle":                   {0.77, 1, false, false},
		"the service and its generator fill it":         {1.7, 2, true, true},
		"more than half, on a machine that is not full": {1.1, 1.3, false, true},
	} {
		l := unpark.Latency{N: 1000, Mean: 0.01, Max: 0.1}
		ev := facts.Evidence{
			Host: unpark.Host{CPUs: 2}, Seconds: 10, Requests: unpark.Num(1000),
			CPU: facts.CPU{Cores: unpark.Num(c.cores), Allowed: unpark.Num(2)},
			Window: unpark.Window{
				Machine: unpark.Machine{CPUs: 2, Busy: unpark.Num(c.busy)},
				Load:    &unpark.Load{Mode: unpark.Closed, AchievedRPS: 100, Response: l, Service: l, GeneratorCPU: unpark.Num(0.1)},
			},
		}
		if m := New(ev); m.Crowded() != c.crowded || m.Scarce() != c.scarce {
			t.Errorf("%s: crowded %t, scarce %t, want %t, %t", name, m.Crowded(), m.Scarce(), c.crowded, c.scarce)
		}
	}
}
