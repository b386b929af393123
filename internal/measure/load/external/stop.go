package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// grace is how long the command's processes may take after each signal: to print a
// summary after SIGINT, to end after SIGTERM, to be gone after SIGKILL.
const grace = 3 * time.Second

// Stop ends the command and returns when no process of it is left: SIGINT to all of
// them, because load generators print their summary then, SIGTERM after three
// seconds, SIGKILL after three more. A command that was told its length is first
// waited for, three seconds beyond that length at most, unless ctx ends. Every call
// after the first returns what the first did; an error means that processes are left,
// or files.
func (c *Command) Stop(ctx context.Context) error {
	c.once.Do(func() { c.stopErr = c.stop(ctx) })
	return c.stopErr
}

func (c *Command) stop(ctx context.Context) error {
	c.await(ctx)
	var err error
	for _, how := range []stage{interrupt, terminate, kill} {
		if c.isDone() {
			break
		}
		c.group.signal(how)
		wait(c.done, c.grace)
	}
	if !c.isDone() {
		err = fmt.Errorf("stop the load command %s: it does not die: end process %d and its children by hand", c.Name(), c.cmd.Process.Pid)
	}
	c.guard.dismiss()
	// A process that was not found may hold a pipe; the rest is there at once.
	wait(c.out.done, c.grace)
	c.out.close()
	c.errs.close()
	c.summary = readSummary(c.export(), c.began)
	if gone := os.RemoveAll(c.dir); gone != nil {
		err = errors.Join(err, fmt.Errorf("remove the folder of the load command: %w", gone))
	}
	return err
}

// await lets a command that was told its length end by itself.
func (c *Command) await(ctx context.Context) {
	if !told(c.spec.Line) {
		return
	}
	timer := time.NewTimer(time.Until(c.began.Add(c.spec.Length + c.grace)))
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (c *Command) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

func wait(done <-chan struct{}, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// readSummary reads a file that was written since then; nil when there is none. A
// file of an earlier run says nothing about this one.
func readSummary(file string, since time.Time) []byte {
	info, err := os.Stat(file)
	// The clock of a file system can be a tick behind.
	if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(since.Add(-10*time.Millisecond)) {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxOutput+1))
	if err != nil {
		return nil
	}
	return b
}
