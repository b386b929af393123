// Package rusage reads what a process, and what the whole machine, has used, and
// which machine that is.
//
// [ReadProcess] and [ReadMachine] are cheap enough to be asked twice a second. Both
// count from a start in the past: a usage is the difference of two readings. Elsewhere
// than on Linux they give errors that wrap errors.ErrUnsupported.
package rusage

import "github.com/unpark-go/unpark/internal/measure/proc"

// Process is what one process has used since it started.
type Process struct {
	CPU         float64 // seconds, user and system, of all its threads, also ended ones
	System      float64 // seconds of it inside the kernel, by its clock of 1/100 s
	Faults      int64   // minor page faults: memory was touched that had no page yet
	Threads     int
	RSS         float64 // bytes
	Voluntary   int64   // context switches of the threads that exist now: the thread gave the processor up
	Involuntary int64   // the same: the processor was taken from it
	StartTicks  uint64  // with the PID it identifies a process; 1/100 s since boot
	Calls       Calls
}

// Calls is what a process has read and written by system calls, of files and connections
// alike; the zero value where the kernel does not say.
type Calls struct {
	Known         bool
	Reads, Writes int64 // calls, also those that found nothing to read
	Written       int64 // bytes
}

// Machine is what everything on this machine has used since it started.
type Machine struct {
	CPUs  int     // online
	Busy  float64 // CPU seconds, user and system, of everything
	Steal float64 // seconds in which a processor was ready and the hypervisor ran something else
}

// Running is one process of this machine, and what it has used.
type Running struct {
	PID, Parent int
	Name        string  // at most 15 bytes
	StartTicks  uint64  // with the PID it identifies a process; 1/100 s since boot
	CPU         float64 // seconds since it started, by the clock of 1/100 s
}

// ReadAll reads every process that this one may see; none elsewhere than on Linux.
func ReadAll() []Running {
	pids, err := proc.PIDs()
	if err != nil {
		return nil
	}
	out := make([]Running, 0, len(pids))
	for _, pid := range pids {
		if p, err := proc.Read(pid); err == nil {
			out = append(out, Running{p.PID, p.Parent, p.Name, p.Start, p.CPU})
		}
	}
	return out
}
