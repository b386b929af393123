package rusage

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/proc"
)

// ReadProcess reads what a process has used. The process may end while it is
// read; the error then wraps fs.ErrNotExist or unix.ESRCH.
func ReadProcess(pid int) (Process, error) {
	p, err := proc.Read(pid)
	if err != nil {
		return Process{}, fmt.Errorf("read the usage of process %d: %w", pid, err)
	}
	if p.Dead() {
		return Process{}, fmt.Errorf("read the usage of process %d: it has ended: %w", pid, unix.ESRCH)
	}
	u := Process{
		CPU: p.CPU, System: p.System, Faults: p.Faults, Threads: p.Threads,
		RSS: float64(p.Pages) * float64(os.Getpagesize()), StartTicks: p.Start,
	}
	if exact, ok := cpuClock(pid); ok {
		u.CPU = exact
	}
	u.Voluntary, u.Involuntary = switches(pid)
	// Unlike the other files it takes the right to trace the process (fs/proc/base.c:
	// do_io_accounting), which another user does not have.
	if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid)); err == nil {
		u.Calls = parseCalls(string(text))
	}
	return u, nil
}

// cpuClock reads the CPU-time clock of a process: nanoseconds over all threads,
// ended ones included, in one system call. The alternatives are worse:
// /proc/PID/stat counts in hundredths of a second, /proc/PID/schedstat is the
// main thread alone, and the sum over task/*/schedstat forgets threads that
// ended and costs a file per thread.
func cpuClock(pid int) (float64, bool) {
	const schedClock = 2 // CPUCLOCK_SCHED, include/linux/posix-timers_types.h
	id := ^int32(pid)<<3 | schedClock
	var ts unix.Timespec
	if err := unix.ClockGettime(id, &ts); err != nil {
		return 0, false
	}
	return float64(ts.Nano()) / 1e9, true
}

// switches sums the context switches of a process's threads: the file of the
// process itself shows its main thread only.
func switches(pid int) (voluntary, involuntary int64) {
	tids, err := proc.Threads(pid)
	if err != nil {
		return 0, 0
	}
	for _, tid := range tids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/status", pid, tid))
		if err != nil {
			continue // the thread ended
		}
		// The two lines are the last: parsing them alone halves the cost.
		if i := bytes.LastIndex(text, []byte("\nvoluntary_ctxt_switches")); i > 0 {
			text = text[i+1:]
		}
		v, n := parseSwitches(string(text))
		voluntary, involuntary = voluntary+v, involuntary+n
	}
	return voluntary, involuntary
}

// ReadMachine reads what everything on this machine has used since it started.
func ReadMachine() (Machine, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return Machine{}, fmt.Errorf("read the machine's usage: %w", err)
	}
	m, err := parseMachine(string(text))
	if err != nil {
		return Machine{}, fmt.Errorf("read the machine's usage: %w", err)
	}
	return m, nil
}

// Host describes this machine. What cannot be found out stays empty.
func Host() unpark.Host {
	h := unpark.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()}
	if m, err := ReadMachine(); err == nil {
		h.CPUs = m.CPUs
	}
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		h.Kernel = unix.ByteSliceToString(name.Release[:])
	}
	h.Model = field("/proc/cpuinfo", "model name")
	kb, _, _ := strings.Cut(field("/proc/meminfo", "MemTotal"), " ")
	if n, err := strconv.ParseUint(kb, 10, 64); err == nil {
		h.Memory = float64(n) * 1024
	}
	return h
}

// field returns the value of the first "name : value" line of a file.
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
