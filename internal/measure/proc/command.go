package proc

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/unpark-go/unpark"
)

// Spec says what to start, and by what its processes are known.
type Spec struct {
	Cmd            *exec.Cmd // not started; Start sets its output and its session
	Stdout, Stderr *Output   // one for both streams, or one each
	Mark           string    // the entry "NAME=value" of Cmd.Env by which its processes are known
	Folder         string    // of the command alone; the guard removes it
	Confinement    Confinement
}

// Confinement holds a command together beside its session. The zero value does
// nothing.
type Confinement struct {
	// Enter gives the thread that calls it, which is locked, what a new process takes
	// over from the thread that made it. leave takes it off again, also after an error;
	// when that fails the thread ends.
	Enter func() (leave func() error, err error)
	// Members lists the processes that it holds, which are all of this command.
	Members func() ([]int, error)
	Cgroup  string // a folder whose file cgroup.procs the guard reads
	Remove  Script // what the guard runs when the processes are gone
}

// Command is a command that was started. Its methods may be called at the same
// time.
type Command struct {
	cmd     *exec.Cmd
	outputs []*Output
	guard   *Guard
	family  *family

	done chan struct{} // closed when the command has ended
	exit error         // how; set before done is closed
}

// Start starts a command. Call End and Close in any case, also after it has ended by
// itself. An error is that of Confinement.Enter or of exec.Cmd.Start, as it is, or says
// that there is no pipe for the output; nothing is left to close then.
func Start(s Spec) (*Command, error) {
	c := &Command{cmd: s.Cmd, outputs: []*Output{s.Stdout}, done: make(chan struct{})}
	if s.Stderr != s.Stdout {
		c.outputs = append(c.outputs, s.Stderr)
	}
	var ends []*os.File // that the command writes to
	for i, o := range c.outputs {
		w, err := o.open()
		if err != nil {
			closeAll(c.outputs[:i], ends)
			return nil, fmt.Errorf("make a pipe for its output: %w", err)
		}
		ends = append(ends, w)
	}
	s.Cmd.Stdout, s.Cmd.Stderr = ends[0], ends[len(ends)-1]
	separate(s.Cmd)
	c.guard = guardCommand(s)
	started := make(chan error, 1)
	go c.keep(s, started)
	if err := <-started; err != nil {
		c.guard.Dismiss()
		closeAll(c.outputs, ends)
		return nil, err
	}
	closeAll(nil, ends)
	return c, nil
}

func closeAll(outputs []*Output, ends []*os.File) {
	for _, w := range ends {
		w.Close()
	}
	for _, o := range outputs {
		o.close()
	}
}

// keep starts the command from a thread that lives as long as the command does,
// and waits for it. The thread is the whole point: a new process has the cgroup
// (v1) and the processors of the thread that made it, so the thread takes them
// on for a moment; and the parent death signal is sent when that thread ends,
// not when the process does (https://go.dev/issue/27505).
func (c *Command) keep(s Spec, started chan<- error) {
	runtime.LockOSThread()
	leave, err := func() error { return nil }, error(nil)
	if s.Confinement.Enter != nil {
		leave, err = s.Confinement.Enter()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	clean := leave() == nil
	if err == nil {
		c.family = newFamily(c.cmd.Process.Pid, s.Mark, s.Confinement.Members)
	}
	started <- err
	if err == nil {
		c.exited(c.cmd.Wait())
	}
	if clean {
		runtime.UnlockOSThread()
	} // else the thread ends with this goroutine: no other shall run confined
}

// exited is called once, when the command was waited for.
func (c *Command) exited(err error) {
	// What was printed last is still in the pipe. A descendant may hold the pipe
	// for ever, so this cannot wait for its end alone.
	c.drain(200 * time.Millisecond)
	c.exit = err
	close(c.done)
}

// drain waits until all that was printed is read.
func (c *Command) drain(limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for _, o := range c.outputs {
		select {
		case <-o.done:
		case <-timer.C:
			return
		}
	}
}

// PID returns the number of the process that was started.
func (c *Command) PID() int { return c.family.root }

// Done is closed when the process that was started has ended and what it printed was
// read. Others of the command may live on.
func (c *Command) Done() <-chan struct{} { return c.done }

// Exit returns how the process that was started ended, as exec.Cmd.Wait does; nil
// while it runs and when its status was 0.
func (c *Command) Exit() error {
	select {
	case <-c.done:
		return c.exit
	default:
		return nil
	}
}

// Processes lists the processes of the command that run, sorted by PID. It is empty
// when all of them have ended.
func (c *Command) Processes() ([]Process, error) {
	all, err := c.family.members()
	return running(all), err
}

// Look reports whether a process of the command runs, and the CPU seconds that its
// processes and the children they waited for have used; unknown where the system does
// not tell. Those that ended without being waited for are missing in it.
func (c *Command) Look() (alive bool, cpu unpark.Number) {
	all, err := c.family.members()
	if err != nil {
		return true, unpark.Number{} // it cannot be known that none is left
	}
	return len(running(all)) > 0, used(all)
}

// running returns those of some processes that have not ended.
func running(all []Process) []Process {
	ps := make([]Process, 0, len(all))
	for _, p := range all {
		if !p.Dead() {
			ps = append(ps, p)
		}
	}
	return ps
}

// Close sends the guard away and stops reading what is printed, also when a process
// that was not found may still print. Call it after End, once.
func (c *Command) Close() {
	// A process that was not found may hold a pipe; the rest is there at once.
	c.drain(time.Second)
	c.guard.Dismiss()
	for _, o := range c.outputs {
		o.close()
	}
}
