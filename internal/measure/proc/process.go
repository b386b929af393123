package proc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Process is what is used of /proc/PID/stat (proc_pid_stat(5)). Elsewhere than on
// Linux only PID, Name and State are set.
type Process struct {
	PID, Parent    int
	group, session int
	State          byte    // 'R', 'S', 'D', 'Z', …
	Name           string  // at most 15 bytes
	Start          uint64  // 1/100 s since boot; with the PID it identifies a process
	CPU            float64 // seconds, user and system
	System         float64 // seconds of it inside the kernel
	Waited         float64 // CPU seconds of the children that it waited for
	Faults         int64   // minor page faults
	Threads        int
	Pages          int64 // resident
}

// Dead reports a process that only waits for its parent to notice.
func (p Process) Dead() bool { return p.State == 'Z' || p.State == 'X' || p.State == 'x' }

// UserHZ is how many units of time in /proc make a second: USER_HZ is 100 on every
// architecture that both Linux and Go support.
const UserHZ = 100

// parseStat reads /proc/PID/stat. The name may itself hold spaces and brackets.
func parseStat(text string) (Process, error) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 1 || end < open {
		return Process{}, errors.New("stat of a process: no name in brackets")
	}
	f := strings.Fields(text[end+1:]) // f[0] is field 3 of the manual
	if len(f) < 22 {
		return Process{}, fmt.Errorf("stat of a process: %d fields after the name, want 22 or more", len(f))
	}
	p := Process{Name: text[open+1 : end], State: f[0][0]}
	if p.State < 'A' || p.State > 'z' {
		return Process{}, fmt.Errorf("stat of a process: state %q is no letter", p.State)
	}
	var err error
	signed := func(text string) int {
		v, e := strconv.Atoi(text)
		if e != nil {
			err = e
		}
		return v
	}
	unsigned := func(text string) uint64 {
		v, e := strconv.ParseUint(text, 10, 64)
		if e != nil {
			err = e
		}
		return v
	}
	p.PID = signed(strings.TrimSpace(text[:open]))
	p.Parent, p.group, p.session = signed(f[1]), signed(f[2]), signed(f[3])
	p.Faults = int64(unsigned(f[7]))
	user, system := unsigned(f[11]), unsigned(f[12])
	p.CPU, p.System = float64(user+system)/UserHZ, float64(system)/UserHZ
	p.Waited = (float64(max(0, signed(f[13]))) + float64(max(0, signed(f[14])))) / UserHZ
	p.Threads, p.Start, p.Pages = signed(f[17]), unsigned(f[19]), int64(signed(f[21]))
	if err != nil {
		return Process{}, fmt.Errorf("stat of a process: %w", err)
	}
	return p, nil
}
