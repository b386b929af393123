//go:build unix

package agent

import (
	"runtime"
	"syscall"
)

// ownUsage returns what this process has used since it started: the kernel's own
// account of it, which is right in any container.
func ownUsage() (usage, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return usage{}, false
	}
	system := float64(u.Stime.Nano()) / 1e9
	return usage{
		cpu: float64(u.Utime.Nano())/1e9 + system, system: system,
		// They are int32 on 32-bit systems.
		faults: int64(u.Minflt), voluntary: int64(u.Nvcsw), involuntary: int64(u.Nivcsw), //nolint:unconvert // see above
	}, true
}

// threadCPU returns the CPU seconds that this thread has used since it began. Linux alone is known to tell it of a thread.
func threadCPU() (float64, bool) {
	const thread = 1 // RUSAGE_THREAD, getrusage(2)
	var u syscall.Rusage
	if runtime.GOOS != "linux" || syscall.Getrusage(thread, &u) != nil {
		return 0, false
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, true
}
