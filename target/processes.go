package target

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// Process is one operating system process of a target.
type Process struct {
	PID, Parent int
	Socket      string // of its probe, DIR/PID.sock; empty while there is none
	Command     string // program and arguments, at most 200 bytes
}

// Processes lists the command and all that descends from it and still runs,
// sorted by PID. It is empty when all of them have ended.
func (t *Target) Processes() ([]Process, error) {
	ms, err := t.family.members()
	if err != nil {
		return nil, fmt.Errorf("list the target's processes: %w", err)
	}
	ps := make([]Process, 0, len(ms))
	for _, m := range ms {
		p := Process{PID: m.pid, Parent: m.parent, Command: m.command()}
		socket := filepath.Join(t.dir, strconv.Itoa(m.pid)+".sock")
		if info, err := os.Lstat(socket); err == nil && info.Mode()&os.ModeSocket != 0 {
			p.Socket = socket
		}
		ps = append(ps, p)
	}
	return ps, nil
}

// Ports lists the TCP ports that the target's processes listen on, sorted. It
// wraps errors.ErrUnsupported where that cannot be found out.
func (t *Target) Ports() ([]int, error) {
	ms, err := t.family.members()
	if err != nil {
		return nil, fmt.Errorf("find the target's ports: %w", err)
	}
	pids := make([]int, len(ms))
	for i, m := range ms {
		pids[i] = m.pid
	}
	ports, err := portsOf(pids)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("find the target's ports: %w: name its address with --url", err)
	}
	if err != nil {
		return nil, fmt.Errorf("find the target's ports: %w", err)
	}
	return ports, nil
}
