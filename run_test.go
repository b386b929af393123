package unpark

import "testing"

// A sum of which a part is unknown is unknown; a shell that waits is no part of it.
func TestTotal(t *testing.T) {
	worker := func(cores, procs Number) Process { return Process{Endpoint: "e", Cores: cores, GOMAXPROCS: procs} }
	shell := Process{Cores: Num(0.001)}
	busy := Process{Cores: Num(0.5)}
	tests := []struct {
		name         string
		all          []Process
		cores, procs Number
	}{
		{"none", nil, Number{}, Number{}},
		{"all known", []Process{worker(Num(1), Num(2)), worker(Num(0.5), Num(4))}, Num(1.5), Num(6)},
		{"one worker tells nothing", []Process{worker(Num(1), Num(2)), worker(Number{}, Number{})}, Number{}, Number{}},
		{"a shell around it", []Process{shell, worker(Num(1), Num(2))}, Num(1.001), Num(2)},
		{"a busy process without an endpoint", []Process{busy, worker(Num(1), Num(2))}, Num(1.5), Number{}},
		{"a process of which nothing is known", []Process{{}, worker(Num(1), Num(2))}, Number{}, Number{}},
		{"a shell alone", []Process{shell}, Num(0.001), Number{}},
	}
	for _, tt := range tests {
		w := Window{Processes: tt.all}
		cores := w.Total(func(p Process) Number { return p.Cores })
		procs := w.Total(func(p Process) Number { return p.GOMAXPROCS })
		if cores != tt.cores || procs != tt.procs {
			t.Errorf("%s: %v cores, GOMAXPROCS %v; want %v, %v", tt.name, cores, procs, tt.cores, tt.procs)
		}
	}
}
