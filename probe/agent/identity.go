package agent

import (
	"os"
	"strconv"
	"strings"
)

// identity tells this process from every other one of its machine, also for an
// observer that sees it under another number: in a container it counts itself from 1.
type identity struct {
	boot  string // of the kernel; empty where the system tells none
	start uint64 // 1/100 s from then until the process began; 0 where that is unknown
}

func whoami() identity {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return identity{}
	}
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return identity{}
	}
	return identity{boot: strings.TrimSpace(string(boot)), start: startTicks(string(stat))}
}

// startTicks reads field 22 of /proc/PID/stat (proc_pid_stat(5)), 0 when it is not
// there. The name in brackets may hold spaces and brackets itself.
func startTicks(stat string) uint64 {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return 0
	}
	n, err := strconv.ParseUint(fields[19], 10, 64)
	if err != nil {
		return 0
	}
	return n
}
