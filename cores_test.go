package unpark

import "testing"

func TestTargetCores(t *testing.T) {
	host := Host{CPUs: 2}
	here := Window{Machine: Machine{CPUs: 4}}
	on := func(ps ...Process) Window { return Window{Processes: ps} }
	p := func(machine int, cpus, cores float64) Process {
		return Process{Machine: machine, NumCPU: Num(cpus), Cores: Num(cores)}
	}
	tests := []struct {
		name   string
		target Target
		window Window
		want   Number
		shares bool
	}{
		{"here", Target{}, here, Num(4), true},
		{"an older document", Target{}, Window{}, Num(2), true},
		{"a quota", Target{Quota: Num(0.5)}, here, Num(0.5), true},
		{"a quota above the machine", Target{Quota: Num(16)}, here, Num(4), true},
		{"processors of its own", Target{CPUs: []int{1}}, here, Num(1), false},
		{"processors that it shares", Target{CPUs: []int{0, 1}, Overlaps: true}, here, Num(2), true},
		{"another machine", Target{Elsewhere: true}, on(p(1, 16, 2.5)), Num(16), false},
		{"two workers of it", Target{Elsewhere: true}, on(p(1, 16, 2.5), p(1, 16, 2.5)), Num(16), false},
		{"two machines", Target{Elsewhere: true}, on(p(1, 16, 2), p(2, 4, 1)), Num(20), false},
		{"two containers of one machine, each with processors of its own", Target{Elsewhere: true}, on(p(1, 2, 1.9), p(1, 2, 1.9)), Number{}, false},
		{"another machine, one process does not say", Target{Elsewhere: true}, on(p(1, 16, 1), Process{Machine: 2}), Number{}, false},
		{"another machine, a quota", Target{Elsewhere: true, Quota: Num(1)}, on(p(1, 16, 1)), Num(1), false},
		{"another machine without a probe", Target{Elsewhere: true}, on(), Number{}, false},
	}
	for _, tt := range tests {
		if got := tt.target.Cores(host, tt.window); got != tt.want || tt.target.Shares() != tt.shares {
			t.Errorf("%s: %v cores, shared %v; want %v, %v", tt.name, got, tt.target.Shares(), tt.want, tt.shares)
		}
	}
}
