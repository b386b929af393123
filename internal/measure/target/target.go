package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/proc"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
)

// Spec says what to start and how to confine it.
type Spec struct {
	Command []string // program and arguments; a program without a slash is looked up on PATH
	Dir     string   // working directory; empty: this process's
	Env     []string // "NAME=value", added to this process's environment; the last of a name wins
	Quota   float64  // CPU limit in cores; 0: none
	CPUs    []int    // processors that it may use; empty: those of this process
	// Dial reaches the URL that WaitReady asks; nil looks up its host's name.
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Output io.Writer // gets what the target prints, both streams; may be nil. Writes must not block for long
}

// Target is a service that was started. Its methods may be called at the same
// time.
type Target struct {
	describe  unpark.Target
	dir       string // of the probe's sockets
	grace     time.Duration
	portTime  time.Duration // how long a port may come after a unix socket
	command   *proc.Command
	cgroup    *confine.Group // nil without one
	output    *proc.Output
	throttled func() confine.Throttling
	dial      func(ctx context.Context, network, addr string) (net.Conn, error)

	mu    sync.Mutex
	final confine.Throttling // once it was stopped

	once    sync.Once
	stopErr error
}

// Done is closed when the command that was started has ended, by itself or by
// Stop. Its children may live on until Stop.
func (t *Target) Done() <-chan struct{} { return t.command.Done() }

// ExitError says how the command ended; nil while it runs. A service that ends
// with status 0 has ended as well, so this is never nil after Done.
func (t *Target) ExitError() error {
	select {
	case <-t.command.Done():
		return exitError(t.command.Exit())
	default:
		return nil
	}
}

// EndCure says what to do about a command that ended by itself: one that left others
// running is a daemon, which cannot be watched or stopped by its command.
func (t *Target) EndCure() string {
	if left, err := t.Processes(); err == nil && len(left) > 0 {
		noun := "a process"
		if len(left) > 1 {
			noun = fmt.Sprint(len(left), " processes")
		}
		return fmt.Sprintf("it left %s running (%s): start it in the foreground, not as a daemon", noun, left[0].Command)
	}
	return "start it by hand to see why"
}

// LastOutput returns the last lines that the target printed, or the beginning of
// its panic: at most 15 lines. It is empty when it printed nothing.
func (t *Target) LastOutput() string { return t.output.Excerpt(15) }

// ProbeDir is the folder in which each process opens its probe's socket; it was
// handed down as UNPARK_PROBE=unix:DIR. Only this user can enter it.
func (t *Target) ProbeDir() string { return t.dir }

// Describe returns the command and how it is confined. Quota is the tightest
// limit on its cgroup, also when it was not unpark that set it.
func (t *Target) Describe() unpark.Target {
	d := t.describe
	d.Command, d.CPUs = slices.Clone(d.Command), slices.Clone(d.CPUs)
	return d
}

// Throttled returns how much a CPU limit has kept the target from running since it
// started; unknown without a cgroup. After Stop it is the figure at the end.
func (t *Target) Throttled() confine.Throttling {
	t.mu.Lock()
	final := t.final
	t.mu.Unlock()
	if final.Seconds.Known() {
		return final
	}
	return t.throttled()
}

// exitError puts the end of a command in words.
func exitError(err error) error {
	if err == nil {
		return errors.New("it exited with status 0")
	}
	var status interface{ Sys() any }
	if errors.As(err, &status) {
		if w, ok := status.Sys().(syscall.WaitStatus); ok && w.Signaled() && w.Signal() == syscall.SIGKILL {
			return fmt.Errorf("it was killed (%w; when nobody did, see dmesg: the kernel kills when memory is short)", err)
		}
	}
	return fmt.Errorf("it ended: %w", err)
}

// validate checks what can be checked before anything is made.
func (s Spec) validate() error {
	if len(s.Command) == 0 || s.Command[0] == "" {
		return errors.New("start the target: no command: name the program after --")
	}
	if math.IsNaN(s.Quota) || math.IsInf(s.Quota, 0) || s.Quota < 0 || (s.Quota > 0 && s.Quota < 0.001) {
		return fmt.Errorf("start the target: a quota of %v cores: give 0.001 or more, or 0 for none", s.Quota)
	}
	if s.Dir != "" {
		if info, err := os.Stat(s.Dir); err != nil {
			return fmt.Errorf("start the target in %s: %w: name a folder that exists", s.Dir, cause(err))
		} else if !info.IsDir() {
			return fmt.Errorf("start the target in %s: it is not a folder", s.Dir)
		}
	}
	return nil
}

// longest is the longest path of a unix socket: sun_path is 108 bytes on Linux,
// 104 elsewhere, with the zero at the end.
const longest = 103

// makeProbeDir makes the folder for the probe's sockets, DIR/PID.sock.
func makeProbeDir() (string, error) {
	var why error
	for _, parent := range []string{"", "/tmp"} {
		// The fixed end keeps the name of one folder from being the beginning of
		// another's: the guard looks for it as text.
		dir, err := os.MkdirTemp(parent, "unpark-*.d")
		if err != nil {
			why = err
			continue
		}
		if abs, err := filepath.Abs(dir); err == nil && len(abs)+len("/4194304.sock") <= longest {
			return abs, nil
		}
		why = errors.Join(fmt.Errorf("%s is too long for a socket", dir), os.Remove(dir))
	}
	return "", fmt.Errorf("make a folder for the probe's sockets: %w: set TMPDIR to a short path with space", why)
}
