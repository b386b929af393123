package confine

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// maxCPU is how many processors a unix.CPUSet holds.
const maxCPU = 1024

// Pins reports that this system can keep a process on some processors.
const Pins = true

// Allowed lists the processors that this process may use, in ascending order.
func Allowed() []int {
	cpus := affinity(0)
	if len(cpus) == 0 { // more than maxCPU processors
		for i := range runtime.NumCPU() {
			cpus = append(cpus, i)
		}
	}
	return cpus
}

// affinity lists the processors that the main thread of a process may use, in ascending
// order, 0 for the calling thread; empty when that cannot be seen.
func affinity(pid int) []int {
	var set unix.CPUSet
	var cpus []int
	if err := unix.SchedGetaffinity(pid, &set); err == nil {
		for i := range maxCPU {
			if set.IsSet(i) {
				cpus = append(cpus, i)
			}
		}
	}
	return cpus
}

// Pin keeps every thread of a process on some processors; pid 0 is this process.
// Threads that it makes later inherit the setting.
func Pin(pid int, cpus []int) error {
	set, err := cpuSet(cpus)
	if err != nil {
		return err
	}
	if pid == 0 {
		pid = os.Getpid()
	}
	done := map[int]bool{}
	for {
		tids, err := proc.Threads(pid)
		if err != nil {
			return fmt.Errorf("pin process %d to processors %v: %w", pid, cpus, err)
		}
		// A thread that was made by one not yet pinned shows in the next list.
		fresh := false
		for _, tid := range tids {
			if done[tid] {
				continue
			}
			done[tid], fresh = true, true
			if err := unix.SchedSetaffinity(tid, set); err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("pin process %d to processors %v: %w: choose among %v", pid, cpus, err, Allowed())
			}
		}
		if !fresh {
			return nil
		}
	}
}

func cpuSet(cpus []int) (*unix.CPUSet, error) {
	if len(cpus) == 0 {
		return nil, errors.New("pin to no processor: name at least one")
	}
	set := new(unix.CPUSet)
	for _, c := range cpus {
		if c < 0 || c >= maxCPU {
			return nil, fmt.Errorf("pin to processor %d: it does not exist: choose among %v", c, Allowed())
		}
		set.Set(c)
	}
	return set, nil
}

// move gives this thread, which must be locked, some processors, unless there are none.
// back undoes it, also after an error.
func move(cpus []int) (back func() error, err error) {
	back = func() error { return nil }
	if len(cpus) == 0 {
		return back, nil
	}
	set, err := cpuSet(cpus)
	if err != nil {
		return back, &AffinityError{err}
	}
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return back, &AffinityError{fmt.Errorf("read this thread's processors: %w", err)}
	}
	if err := unix.SchedSetaffinity(0, set); err != nil {
		return back, &AffinityError{fmt.Errorf("keep it on processors %v: %w: choose among %v", cpus, err, Allowed())}
	}
	back = func() error { return unix.SchedSetaffinity(0, &before) }
	// The kernel takes those of the set that exist and says nothing.
	if got := Allowed(); len(got) != set.Count() {
		return back, &AffinityError{fmt.Errorf("keep it on processors %v: only %v can be had: choose among those that exist", cpus, got)}
	}
	return back, nil
}
