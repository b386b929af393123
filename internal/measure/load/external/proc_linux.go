package external

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// userHZ is the unit of times in /proc: USER_HZ is 100 on every architecture that
// both Linux and Go support.
const userHZ = 100

// process is what is used of /proc/PID/stat (proc_pid_stat(5)).
type process struct {
	pid, parent, group, session int
	state                       byte
	start                       uint64  // 1/100 s since boot
	cpu                         float64 // seconds, user and system, with the children that it waited for
}

// dead reports a process that only waits for its parent to notice.
func (p process) dead() bool { return p.state == 'Z' || p.state == 'X' || p.state == 'x' }

func readStat(pid int) (process, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, err
	}
	return parseStat(string(text))
}

// parseStat reads /proc/PID/stat. The name of a process may itself hold spaces and
// brackets.
func parseStat(text string) (process, error) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 1 || end < open {
		return process{}, errors.New("stat of a process: no name in brackets")
	}
	f := strings.Fields(text[end+1:]) // f[0] is field 3 of the manual
	if len(f) < 20 {
		return process{}, fmt.Errorf("stat of a process: %d fields after the name, want 20 or more", len(f))
	}
	p := process{state: f[0][0]}
	var err error
	number := func(text string) uint64 {
		v, e := strconv.ParseInt(text, 10, 64)
		if e != nil {
			err = fmt.Errorf("stat of a process: %w", e)
		}
		return uint64(max(0, v))
	}
	p.pid = int(number(strings.TrimSpace(text[:open])))
	p.parent, p.group, p.session = int(number(f[1])), int(number(f[2])), int(number(f[3]))
	for _, field := range f[11:15] { // utime, stime, cutime, cstime
		p.cpu += float64(number(field)) / userHZ
	}
	p.start = number(f[19])
	return p, err
}

// allPIDs lists the processes of this machine.
func allPIDs() []int {
	f, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1) // what was read before an error counts
	pids := make([]int, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
