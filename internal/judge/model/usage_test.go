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
		computes    float64 // share of the traced time
		crowded     bool
		scarce      bool
	}{
		"others have most of a full machine":                 {0.77, 2, 0, true, true},
		"others have nearly all of a full machine":           {0.3, 2, 0, false, false},
		"the same, and requests wait for processors alone":   {0.3, 2, 0.9, true, true},
		"the same, and they wait for something else as well": {0.3, 2, 0.7, false, false},
		"they compute, and half of the machine is idle":      {0.3, 1, 0.9, false, false},
		"half of the machine is idle":                        {0.77, 1, 0, false, false},
		"the service and its generator fill it":              {1.7, 2, 0, true, true},
		"more than half, on a machine that is not full":      {1.1, 1.3, 0, false, true},
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
		if c.computes > 0 {
			ev.Tracing = &unpark.Tracing{Requests: 100, Wall: unpark.Latency{N: 100, Mean: 0.01}, States: []unpark.StateTime{
				{Class: unpark.Running, All: 0.002}, {Class: unpark.WaitScheduler, All: 0.01*c.computes - 0.002}, {Class: unpark.WaitSleep, All: 0.01 * (1 - c.computes)},
			}}
		}
		if m := New(ev); m.Crowded() != c.crowded || m.Scarce() != c.scarce {
			t.Errorf("%s: crowded %t, scarce %t, want %t, %t", name, m.Crowded(), m.Scarce(), c.crowded, c.scarce)
		}
	}
}
