// Package attach makes processes of this machine answer as if unpark's probe were in them: a
// process of its own reads their memory and serves the probe's pages on a unix socket for each.
//
// It is a process of its own so that it outlives unpark: the rates that it lends to a target go
// back when the connection that asked for them ends, however unpark ended.
package attach

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// Options say what to read.
type Options struct {
	PIDs     []int
	ReadOnly bool // nothing is written into the processes: what they do not record is off
	// MemoryRate: one in so many allocated bytes is recorded by those that record none; 0 leaves them.
	MemoryRate int64
	Command    []string // starts this program as the reader: [Serve] is called with what is appended
}

// Attached is a reader that runs.
type Attached struct {
	Addresses []string // of the endpoints, "unix:///…", in the order of PIDs

	dir      string
	cmd      *exec.Cmd
	in       io.Closer
	readOnly bool
}

// said is one line that the reader prints: where a process answers, or why it does not.
type said struct {
	PID    int    `json:"pid"`
	Socket string `json:"socket,omitempty"`
	Error  string `json:"error,omitempty"`
}

// patience is how long the reader may take to look at a process: it reads its tables of functions.
const patience = 30 * time.Second

// Start starts the reader. Call Close in any case but an error.
func Start(ctx context.Context, o Options) (*Attached, error) {
	// Short: the path of a socket has at most 107 bytes (unix(7)).
	dir, err := os.MkdirTemp("", "unpark-")
	if err != nil {
		return nil, fmt.Errorf("attach: make a folder for sockets: %w", err)
	}
	a := &Attached{dir: dir, readOnly: o.ReadOnly}
	if err := a.start(ctx, o); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

func (a *Attached) start(ctx context.Context, o Options) error {
	args := append(o.Command[1:len(o.Command):len(o.Command)], "--dir", a.dir)
	if o.ReadOnly {
		args = append(args, "--read-only")
	}
	if o.MemoryRate > 0 {
		args = append(args, "--memory-rate", strconv.FormatInt(o.MemoryRate, 10))
	}
	for _, pid := range o.PIDs {
		args = append(args, strconv.Itoa(pid))
	}
	cmd := exec.Command(o.Command[0], args...)
	cmd.Stderr = os.Stderr
	separate(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("attach: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("attach: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("attach: start the reader: %w", err)
	}
	a.cmd, a.in = cmd, in
	late := time.AfterFunc(patience, func() { _ = in.Close() }) // it ends then, and so does what it prints
	defer late.Stop()
	stop := context.AfterFunc(ctx, func() { _ = in.Close() })
	defer stop()
	lines := bufio.NewScanner(out)
	for range o.PIDs {
		var s said
		if !lines.Scan() || json.Unmarshal(lines.Bytes(), &s) != nil {
			return errors.Join(ctx.Err(), errors.New("attach: the reader ended before it had looked at every process"))
		}
		if s.Error != "" {
			return fmt.Errorf("attach: %s", s.Error)
		}
		a.Addresses = append(a.Addresses, "unix://"+s.Socket)
	}
	return nil
}

// Close ends the reader, which puts back what it lent, and removes its sockets. It may be called
// again.
func (a *Attached) Close() error {
	var err error
	if a.cmd != nil {
		_ = a.in.Close()
		if err = a.cmd.Wait(); err != nil {
			err = fmt.Errorf("end the reader of processes: %w%s", err, a.left())
		}
		a.cmd = nil
	}
	return errors.Join(err, os.RemoveAll(a.dir))
}

// left says what a reader that was killed leaves behind.
func (a *Attached) left() string {
	if a.readOnly || a.cmd.ProcessState == nil || a.cmd.ProcessState.Exited() {
		return ""
	}
	return ": it put back nothing, so the processes that it read may go on recording waits (runtime.blockprofilerate, runtime.mutexprofilerate) until they start anew"
}

// Named returns the processes whose program has a name, by its file or by what it calls itself,
// but for this one and for those that it started.
func Named(name string) ([]int, error) {
	var found []int
	all, err := proc.PIDs()
	if err != nil {
		return nil, fmt.Errorf("look for processes named %q: %w", name, err)
	}
	for _, pid := range all {
		if pid == os.Getpid() {
			continue
		}
		command, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if err != nil || len(command) == 0 {
			continue // it has ended, or is the kernel's
		}
		first, _, _ := strings.Cut(string(command), "\x00")
		if filepath.Base(first) == name {
			found = append(found, pid)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no process of this machine runs a program named %q: see ps -e, or name the process with --pid", name)
	}
	return found, nil
}
