package window

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// cpuNotices says what a profile of the CPU lacks.
func cpuNotices(f unpark.ProfileFile, p *profile.Profile) []unpark.Notice {
	if f.Kind != unpark.KindCPU {
		return nil
	}
	return append(lostSamples(f, p), hiddenKernel(f, p)...)
}

// mostLost is the part of the CPU samples that may be lost without a word: no share is wrong by more.
const mostLost = 0.01

// lostSamples says that the kernel had no room for samples of the CPU.
func lostSamples(f unpark.ProfileFile, p *profile.Profile) []unpark.Notice {
	n, of, _, ok := p.Drawn()
	if !ok || float64(of-n) <= mostLost*float64(of) {
		return nil
	}
	return []unpark.Notice{{
		Code:    "cpu-samples-lost",
		Message: fmt.Sprintf("of %d samples of the CPU of process %d up to %d were lost: unpark's reader did not come to take them", of, f.PID, of-n),
		Cure:    "measure where fewer other processes compute",
	}}
}

// hiddenKernel says that what the process computed inside of the kernel is in no sample: most services have a tenth to a half
// of their CPU there, in calls of the network.
func hiddenKernel(f unpark.ProfileFile, p *profile.Profile) []unpark.Notice {
	if !p.UserOnly() {
		return nil
	}
	return []unpark.Notice{{
		Code:    "cpu-user-only",
		Message: fmt.Sprintf("the CPU profile of process %d is without what it computed inside of the kernel (system calls), so shares are of the rest", f.PID),
		Cure:    "run unpark as root or with CAP_PERFMON, or sysctl kernel.perf_event_paranoid=1",
	}}
}
