package investigate

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/window"
)

func TestStrained(t *testing.T) {
	n := unpark.Num
	none := unpark.Number{}
	probed := func(cores, procs, cpus float64) window.Strain {
		return window.Strain{PID: 7, Cores: n(cores), GOMAXPROCS: n(procs), NumCPU: n(cpus), SchedP99: n(0.012)}
	}
	plain := func(cores float64) window.Strain { return window.Strain{PID: 8, Cores: n(cores)} }
	silent := window.Strain{PID: -1}
	on := func(machine string, s window.Strain) window.Strain { s.Machine = machine; return s }
	tests := []struct {
		name  string
		all   []window.Strain
		quota unpark.Number
		why   string // empty: not saturated
		known bool
	}{
		{"idle", []window.Strain{probed(0.01, 2, 2)}, none, "", true},
		{"nearly", []window.Strain{probed(1.7, 2, 2)}, none, "", true},
		{"full", []window.Strain{probed(1.9, 2, 2)}, none, "process 7 uses 1.90 cores with a GOMAXPROCS of 2, and its goroutines wait up to 12ms", true},
		{"more Ps than processors", []window.Strain{probed(3.8, 64, 4)}, none, "it uses 3.80 of 4.00 cores", true},
		{"one worker of four", []window.Strain{probed(0.2, 1, 8), probed(0.95, 1, 8)}, none, "process 7 uses 0.95 cores with a GOMAXPROCS of 1", true},
		{"workers that fill the machine together", []window.Strain{probed(0.95, 2, 2), probed(0.9, 2, 2)}, none, "it uses 1.85 of 2.00 cores", true},
		{"a quota", []window.Strain{probed(0.46, 2, 2)}, n(0.5), "it uses 0.46 of 0.50 cores", true},
		{"a quota, with room", []window.Strain{probed(0.4, 2, 2)}, n(0.5), "", true},
		{"a quota above the machine", []window.Strain{probed(1.85, 4, 2)}, n(16), "it uses 1.85 of 2.00 cores", true},
		{"plain, here", []window.Strain{plain(0.45)}, n(0.5), "it uses 0.45 of 0.50 cores", true},
		{"plain, idle", []window.Strain{plain(0)}, none, "", true},
		{"plain, elsewhere", []window.Strain{silent}, none, "", false},
		{"plain, elsewhere, known quota", []window.Strain{silent}, n(0.5), "", false},
		{"two machines with room", []window.Strain{on("a", probed(1.5, 2, 2)), on("b", probed(1.5, 2, 2))}, none, "", true},
		{"one machine of two is full", []window.Strain{on("a", probed(0.1, 8, 8)), on("b", probed(1.8, 4, 2)), on("b", probed(0.1, 4, 2))}, none, "it uses 1.90 of 2.00 cores", true},
		{"plain, on an unknown machine", []window.Strain{on("a", plain(1000))}, none, "", true},
		{"one of them is full, one is silent", []window.Strain{silent, probed(1.95, 2, 2)}, none, "process 7", true},
	}
	for _, tt := range tests {
		why, known := strained(tt.all, tt.quota)
		if known != tt.known || (why == "") != (tt.why == "") || !strings.Contains(why, tt.why) {
			t.Errorf("%s: %q, known %v", tt.name, why, known)
		}
	}
}
