package predict

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestFresh: an allocation that the kernel has to find pages for costs more than the
// allocator and the collector show; one that does not costs its way to memory.
func TestFresh(t *testing.T) {
	f := unpark.Finding{
		Class: unpark.ClassAlloc, Share: unpark.Num(0.9),
		Cost: unpark.Cost{Cores: unpark.Measured(0.8, "cores", 1000), BytesPerRequest: unpark.Measured(840e3, "B/req", 1000)},
	}
	s := full2() // 2000 req/s, 1 ms of CPU each, 15 s
	s.ev.CPU.Shares.Syscall = unpark.Num(0.1)
	plain, _ := s.cpuSpan(f)
	s.ev.Window.Processes = []unpark.Process{{Faults: unpark.Num(66 * 30_000), System: unpark.Num(0.8)}}
	faulting, _ := s.cpuSpan(f)
	if plain.value < 0.4 || plain.value > 0.55 || plain.low != faulting.low {
		t.Errorf("no faults: %+v", plain)
	}
	// 0.8 cores in the kernel less 0.2 in system calls, nine tenths of it: 0.27 ms a request.
	if d := faulting.value - plain.value; d < 0.03 || d > 0.15 {
		t.Errorf("faults add %v: %+v", d, faulting)
	}
	if faulting.high > 1 {
		t.Errorf("more than all: %+v", faulting)
	}
	f.Cost.BytesPerRequest = unpark.Measured(1e3, "B/req", 1000)
	if x := s.fresh(f); x.high > 0.01 {
		t.Errorf("a kilobyte a request causes no 66 faults: %+v", x)
	}
	f.Cost.BytesPerRequest = unpark.Quantity{}
	if x := s.fresh(f); x != (span{}) {
		t.Errorf("unknown bytes: %+v", x)
	}
}
