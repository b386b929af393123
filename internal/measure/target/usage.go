package target

import "github.com/unpark-go/unpark"

// Usage is what one process has used since it started.
type Usage struct {
	CPU         float64 // seconds, user and system, of all its threads, also ended ones
	System      float64 // seconds of it inside the kernel, by its clock of 1/100 s
	Faults      int64   // minor page faults: memory was touched that had no page yet
	Threads     int
	RSS         float64 // bytes
	Voluntary   int64   // context switches of the threads that exist now: the thread gave the processor up
	Involuntary int64   // the same: the processor was taken from it
	StartTicks  uint64  // with the PID it identifies a process; 1/100 s since boot
}

// Throttling is how much a CPU limit has stopped a cgroup since it was made.
type Throttling struct {
	// Seconds are summed over processors: eight that stand still for a tenth of a second
	// are 0.8 s, and no measure of how long the cgroup stood still.
	Seconds unpark.Number
	// Periods of the limit (cpu.max, 100 ms if not set otherwise) in which something ran,
	// and those in which it was stopped.
	Periods, Stopped unpark.Number
}

// plus adds what another cgroup's limit did.
func (t Throttling) plus(o Throttling) Throttling {
	sum := func(a, b unpark.Number) unpark.Number {
		if !a.Known() || !b.Known() {
			return unpark.Number{}
		}
		return unpark.Num(a.Or(0) + b.Or(0))
	}
	return Throttling{sum(t.Seconds, o.Seconds), sum(t.Periods, o.Periods), sum(t.Stopped, o.Stopped)}
}

// MachineUsage is what everything on this machine has used since it started.
type MachineUsage struct {
	CPUs  int     // online
	Busy  float64 // CPU seconds, user and system, of everything
	Steal float64 // seconds in which a processor was ready and the hypervisor ran something else
}
