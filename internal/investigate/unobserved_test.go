package investigate

import (
	"math"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestUnobserved: what a document says of a process is without the capture, and stays so
// when the verdict is made again.
func TestUnobserved(t *testing.T) {
	w := unpark.Window{
		Start: time.Unix(0, 0), End: time.Unix(10, 0), Load: &unpark.Load{Requests: 100},
		Observer: unpark.Observer{CPU: 2, Alloc: unpark.Num(900)},
		Processes: []unpark.Process{{
			Cores: unpark.Num(0.3), CPUPerReq: unpark.Num(0.03), GCShare: unpark.Num(0.4),
			Metrics: unpark.Metrics{GCCPU: unpark.Num(1.2), AllocBytes: unpark.Num(1000)},
		}, {}},
	}
	for range 2 {
		ev := facts.Evidence{CPU: facts.CPU{Cores: unpark.Num(0.3), Service: unpark.Num(0.1)}, GC: facts.GC{CPUShare: unpark.Num(0.12)}}
		unobserved(&w, ev)
		p := w.Processes[0]
		if math.Abs(p.CPUPerReq.Or(0)-0.01) > 1e-9 || math.Abs(p.GCShare.Or(0)-0.12) > 1e-9 || w.Processes[1].CPUPerReq.Known() {
			t.Errorf("%v s a request, %v for collecting", p.CPUPerReq, p.GCShare)
		}
	}
}

// TestUnobservedOfAll: what a process used is divided by all requests, also by those of void parts of the load.
func TestUnobservedOfAll(t *testing.T) {
	for beside, want := range map[unpark.Number]float64{{}: 0.02, unpark.Num(100): 0.01} {
		w := unpark.Window{
			Start: time.Unix(0, 0), End: time.Unix(10, 0), Load: &unpark.Load{Requests: 100, Beside: beside},
			Processes: []unpark.Process{{Cores: unpark.Num(0.2)}},
		}
		unobserved(&w, facts.Evidence{CPU: facts.CPU{Cores: unpark.Num(0.2), Service: unpark.Num(0.2)}})
		if got := w.Processes[0].CPUPerReq.Or(0); math.Abs(got-want) > 1e-9 {
			t.Errorf("beside %v: %v s a request, want %v", beside, got, want)
		}
	}
}

// TestUnobservedByProfile: where the runtime's account says nothing of the CPU that was used, one process has what its
// profile says, and of several nothing is said of each.
func TestUnobservedByProfile(t *testing.T) {
	ev := facts.Evidence{CPU: facts.CPU{Cores: unpark.Num(0.1), Shares: facts.CPUShares{GC: unpark.Num(0.05)}}}
	p := unpark.Process{Cores: unpark.Num(0.1), Metrics: unpark.Metrics{GCCPU: unpark.Num(2.9)}}
	w := unpark.Window{Start: time.Unix(0, 0), End: time.Unix(10, 0), Processes: []unpark.Process{p}}
	unobserved(&w, ev)
	if got := w.Processes[0].GCShare.Or(-1); got != 0.05 {
		t.Errorf("one process: %v", got)
	}
	p.GCShare = unpark.Num(2.9) // by the runtime's account, as the window has it
	w.Processes = []unpark.Process{p, p}
	unobserved(&w, ev)
	if got := w.Processes[0].GCShare; got.Known() {
		t.Errorf("one of two: %v", got)
	}
}
