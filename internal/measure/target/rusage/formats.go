package rusage

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// The text formats of /proc: proc_stat(5), proc_pid_status(5).

// parseMachine reads /proc/stat. Guest time is part of user time already; steal
// is time in which this machine did not run.
func parseMachine(text string) (Machine, error) {
	var m Machine
	total := false
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || !strings.HasPrefix(f[0], "cpu") {
			continue
		}
		if f[0] != "cpu" {
			m.CPUs++
			continue
		}
		if len(f) < 9 {
			return Machine{}, fmt.Errorf("/proc/stat: %d fields in the first line, want 9 or more", len(f))
		}
		var ticks [8]float64 // user nice system idle iowait irq softirq steal
		for i := range ticks {
			n, err := strconv.ParseUint(f[i+1], 10, 64)
			if err != nil {
				return Machine{}, fmt.Errorf("/proc/stat: %w", err)
			}
			ticks[i] = float64(n) / proc.UserHZ
		}
		m.Busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]
		m.Steal = ticks[7]
		total = true
	}
	if !total || m.CPUs == 0 {
		return Machine{}, errors.New("/proc/stat: no processors in it")
	}
	return m, nil
}

// parseCalls reads /proc/PID/io, proc_pid_io(5). Read and write of a socket count as those of
// a file do (fs/read_write.c: ksys_read, ksys_write); recvmsg and sendmsg, by which datagrams
// come and go, do not.
func parseCalls(text string) Calls {
	var c Calls
	found := 0
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		at := map[string]*int64{"syscr": &c.Reads, "syscw": &c.Writes, "wchar": &c.Written}[name]
		if at == nil {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if err != nil {
			return Calls{}
		}
		*at = n
		found++
	}
	if found != 3 {
		return Calls{}
	}
	c.Known = true
	return c
}

// parseSwitches reads the context switches of one thread from its status file.
func parseSwitches(text string) (voluntary, involuntary int64) {
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(line, ":")
		if !ok || !strings.HasSuffix(name, "voluntary_ctxt_switches") {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		switch {
		case err != nil:
		case strings.HasPrefix(name, "non"):
			involuntary = n
		default:
			voluntary = n
		}
	}
	return voluntary, involuntary
}
