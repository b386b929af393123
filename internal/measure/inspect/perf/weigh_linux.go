//go:build linux && (amd64 || arm64)

package perf

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// A clock of a processor interrupts it where interrupts are allowed, and they are not from when a thread begins to wait until the
// next one runs (kernel/sched/core.c, __schedule): what is sampled there is the next one, or nothing where that is idle. Threads that
// compute in short bursts then have too few samples. The kernel counts to the nanosecond for how long each thread ran
// (Documentation/scheduler/sched-stats.rst, /proc/PID/task/TID/schedstat), so samples count for what their thread ran.

// enoughSamples of a thread weigh them alone: a fifth is one standard error. Threads with fewer are weighed together.
const enoughSamples = 25

// ran is for how long each thread of a process ran so far; threads that cannot be told are left out.
func ran(pid int) map[int]time.Duration {
	out := map[int]time.Duration{}
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return out
	}
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/schedstat", pid, id))
		if err != nil {
			continue // it has ended, or the kernel does not count (CONFIG_SCHED_INFO)
		}
		first, _, _ := strings.Cut(string(b), " ")
		if n, err := strconv.ParseInt(first, 10, 64); err == nil {
			out[id] = time.Duration(n)
		}
	}
	return out
}

// weigh says of each sample for how much CPU it stands: what its thread ran between two readings, shared out among its samples. One of
// a thread that ended meanwhile stands for the interval.
func (s *Samples) weigh(before, after map[int]time.Duration) {
	counts := map[int]int{}
	for i := range s.All {
		s.All[i].Time = s.Interval
		if _, known := after[s.All[i].Thread]; known {
			counts[s.All[i].Thread]++
		}
	}
	var rest time.Duration
	few := 0
	for id, now := range after {
		if counts[id] < enoughSamples {
			rest, few = rest+now-before[id], few+counts[id]
		}
	}
	for i := range s.All {
		sample := &s.All[i]
		switch n := counts[sample.Thread]; {
		case n >= enoughSamples:
			sample.Time = (after[sample.Thread] - before[sample.Thread]) / time.Duration(n)
		case n > 0:
			sample.Time = rest / time.Duration(few)
		}
	}
}
