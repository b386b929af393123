package unpark_test

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestOtherCores: what neither the target nor the generator used, and unknown where one of
// them is.
func TestOtherCores(t *testing.T) {
	machine := unpark.Machine{CPUs: 4, Busy: unpark.Num(3), Steal: unpark.Num(0.5)}
	load := &unpark.Load{GeneratorCPU: unpark.Num(0.5)}
	two := []unpark.Process{{Cores: unpark.Num(1)}, {Cores: unpark.Num(0.5)}}
	for name, c := range map[string]struct {
		w    unpark.Window
		want unpark.Number
	}{
		"all known":           {unpark.Window{Machine: machine, Load: load, Processes: two}, unpark.Num(1.5)},
		"no load":             {unpark.Window{Machine: machine, Processes: two}, unpark.Num(2)},
		"another machine":     {unpark.Window{Load: load, Processes: two}, unpark.Number{}},
		"unknown generator":   {unpark.Window{Machine: machine, Load: &unpark.Load{}, Processes: two}, unpark.Number{}},
		"no process":          {unpark.Window{Machine: machine, Load: load}, unpark.Number{}},
		"one that is unknown": {unpark.Window{Machine: machine, Load: load, Processes: append(two[:1:1], unpark.Process{})}, unpark.Number{}},
	} {
		if got := c.w.OtherCores(c.w.TargetCores()); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestAsked: a process is beside the service where the service has connections to it and no
// profile is of it; workers without a profile are the service's own.
func TestAsked(t *testing.T) {
	processes := []unpark.Process{{PID: 1}, {PID: 2}, {PID: 3}}
	peers := []unpark.Peer{{PID: 2}, {PID: 1, Self: true}, {}}
	for name, c := range map[string]struct {
		w    unpark.Window
		want int
	}{
		"one of three":        {unpark.Window{Processes: processes, Peers: peers, Profiles: []unpark.ProfileFile{{PID: 1}}}, 1},
		"it has a profile":    {unpark.Window{Processes: processes, Peers: peers, Profiles: []unpark.ProfileFile{{PID: 1}, {PID: 2}}}, 0},
		"whose is not known":  {unpark.Window{Processes: processes, Peers: peers, Profiles: []unpark.ProfileFile{{}}}, 0},
		"no profiles":         {unpark.Window{Processes: processes, Peers: peers}, 0},
		"none is asked by it": {unpark.Window{Processes: processes, Profiles: []unpark.ProfileFile{{PID: 1}}}, 0},
	} {
		if got := c.w.Asked(); len(got) != c.want || len(got) == 1 && got[0].PID != 2 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
