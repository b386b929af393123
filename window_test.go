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
