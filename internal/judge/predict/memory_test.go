package predict

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestFresh: an allocation that the kernel has to find pages for costs more than the
// allocator and the collector show; one that does not costs its way to memory.
func TestFresh(t *testing.T) {
	f := unpark.Finding{
		Class: unpark.ClassAlloc, Share: unpark.Num(0.9),
		Cost: unpark.Cost{Cores: unpark.Measured(0.8, "cores", 1000), BytesPerRequest: unpark.Measured(840e3, "B/req", 1000)},
	}
	s := full2() // 2000 req/s, 1 ms of CPU each, 15 s
	s.m.Ev.CPU.Shares.Syscall = unpark.Num(0.1)
	plain, _ := cuts{s}.cpuSpan(f)
	s.m.Ev.Window.Processes = []unpark.Process{{Faults: unpark.Num(66 * 30_000), System: unpark.Num(0.8)}}
	faulting, _ := cuts{s}.cpuSpan(f)
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
	if x := (cuts{s}).fresh(f); x.high > 0.01 {
		t.Errorf("a kilobyte a request causes no 66 faults: %+v", x)
	}
	f.Cost.BytesPerRequest = unpark.Quantity{}
	if x := (cuts{s}).fresh(f); x != (span{}) {
		t.Errorf("unknown bytes: %+v", x)
	}
}

// TestUnclaimed: on a full machine, busy time that is nobody's may be the kernel's for
// connections; with processors to spare nothing is.
func TestUnclaimed(t *testing.T) {
	busy := func(cores float64) scene {
		return full2(func(ev *facts.Evidence) {
			ev.Target.CPUs, ev.Window.Machine = nil, unpark.Machine{CPUs: 2, Busy: unpark.Num(cores)}
		})
	}
	before := span{1.2, 1.4, 1.5}
	cpu := span{0.2e-3, 0.3e-3, 0.4e-3} // of the 1 ms that the machine has for a request
	if x := (closedLoop{busy(2)}).unclaimed(cpu, before); x.low != before.low || x.value < 1.9 || x.value > 2.4 || x.high < 4.9 || x.high > 5.1 {
		t.Errorf("a full machine: %+v", x)
	}
	if x := (closedLoop{busy(1)}).unclaimed(cpu, before); x != before {
		t.Errorf("half of it idle: %+v", x)
	}
}

// TestWritten: writes under a lock may be saved with it, and others not.
func TestWritten(t *testing.T) {
	s := full2() // 30 s of CPU sampled
	holder := unpark.Site{Function: "log.(*logger).flush", Line: 9}
	s.m.Ev.Signals = []facts.Signal{
		{ID: facts.SignalWrite, CPU: 12, Stack: []unpark.Site{{Function: "syscall.Write"}, {Function: "os.(*File).Write"}, holder}},
		{ID: facts.SignalWrite, CPU: 6, Stack: []unpark.Site{{Function: "syscall.Write"}, {Function: "net.(*conn).Write"}}},
		{ID: facts.SignalRead, CPU: 6, Stack: []unpark.Site{{Function: "syscall.Read"}, holder}},
	}
	if w := (cuts{s}).written(holder.Function); w != 0.4 {
		t.Errorf("%v of the CPU, want 12 s of 30 s", w)
	}
	f := unpark.Finding{Class: unpark.ClassLock, Waiter: &holder, Holder: &holder, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(5e-3, "s/req", 1000)}}
	if c := (cuts{s}).cutOf(f); c.sync.low != 0 || c.sync.value < 0.2 || c.sync.high < 0.36 {
		t.Errorf("%+v", c.sync)
	}
}

// TestJoined: of two hundred writes an answer one stays, and the generator reads as
// seldom; of one write an answer nothing much goes.
func TestJoined(t *testing.T) {
	s := full2() // 1 ms of CPU a request
	s.generator = 0.5e-3
	f := unpark.Finding{Class: unpark.ClassSyscall, Cost: unpark.Cost{Cores: unpark.Measured(1.7, "cores", 1000)}}
	c := cuts{s}.cutOf(f)
	if c.cpu.low < 0.3 || c.cpu.low > 0.5 || c.cpu.value < 0.8 || c.cpu.high < c.cpu.value || c.joined < 0.95 {
		t.Errorf("850 µs in calls: %+v", c)
	}
	if k := s.kept(c, 10); k.generator.low > 30e-6 || k.generator.high != s.generator {
		t.Errorf("the generator: %+v", k.generator)
	}
	s.cpu, s.rate = 20e-6, 100_000
	s.generator = 10e-6
	c = cuts{s}.cutOf(f)
	if c.cpu.low != 0 || c.cpu.value > 0.1 || c.cpu.high < 0.4 || c.joined != 0 {
		t.Errorf("17 µs in calls: %+v", c)
	}
}
