package target

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark/internal/measure/target/sockets"
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
	all, err := t.command.Processes()
	if err != nil {
		return nil, fmt.Errorf("list the target's processes: %w", err)
	}
	ps := make([]Process, 0, len(all))
	for _, one := range all {
		p := Process{PID: one.PID, Parent: one.Parent, Command: one.Command()}
		socket := filepath.Join(t.dir, strconv.Itoa(p.PID)+".sock")
		if info, err := os.Lstat(socket); err == nil && info.Mode()&os.ModeSocket != 0 {
			p.Socket = socket
		}
		ps = append(ps, p)
	}
	return ps, nil
}

// Ports lists the TCP ports that the target's processes listen on, sorted. It
// wraps errors.ErrUnsupported where that cannot be found out.
func (t *Target) Ports() ([]int, error) { return listens(t, "ports", sockets.Ports) }

// Sockets lists the unix sockets that the target's processes accept connections on,
// sorted: absolute paths, and abstract names with @ in front. That of its probe is
// left out. It wraps errors.ErrUnsupported where that cannot be found out.
func (t *Target) Sockets() ([]string, error) {
	all, err := listens(t, "unix sockets", sockets.Unix)
	return slices.DeleteFunc(all, func(path string) bool { return strings.HasPrefix(path, t.dir+"/") }), err
}

// listens asks where the target's processes listen.
func listens[T any](t *Target, what string, of func(pids []int) ([]T, error)) ([]T, error) {
	all, err := t.command.Processes()
	if err != nil {
		return nil, fmt.Errorf("find the target's %s: %w", what, err)
	}
	pids := make([]int, len(all))
	for i, p := range all {
		pids[i] = p.PID
	}
	found, err := of(pids)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("find the target's %s: %w on %s: name the address to load with --url", what, err, runtime.GOOS)
	}
	if err != nil {
		return nil, fmt.Errorf("find the target's %s: %w", what, err)
	}
	return found, nil
}
