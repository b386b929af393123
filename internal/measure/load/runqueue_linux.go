package load

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// runQueued is how long the threads of this process have stood ready without a processor, together, since each began
// (Documentation/scheduler/sched-stats.rst: the second figure of schedstat). 0: the kernel does not count it.
func runQueued() time.Duration {
	const tasks = "/proc/self/task"
	threads, err := os.ReadDir(tasks)
	if err != nil {
		return 0
	}
	var sum time.Duration
	for _, t := range threads {
		text, err := os.ReadFile(filepath.Join(tasks, t.Name(), "schedstat"))
		if f := bytes.Fields(text); err == nil && len(f) > 1 {
			ns, err := strconv.ParseInt(string(f[1]), 10, 64)
			if err == nil {
				sum += time.Duration(ns)
			}
		}
	}
	return sum
}
