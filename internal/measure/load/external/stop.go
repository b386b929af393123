package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
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
	if told(c.spec.Line) { // it ends by itself
		c.ends(ctx, time.Until(c.began.Add(c.spec.Length+c.grace)))
	}
	var err error
	if !c.ends(ctx, 0) {
		err = c.procs.End(c.grace, syscall.SIGINT, syscall.SIGTERM)
		if err == nil && !c.ends(context.Background(), c.grace) {
			err = errors.New("its processes cannot be listed: look for them by hand")
		}
		if err != nil {
			err = fmt.Errorf("stop the load command %s: %w", c.Name(), err)
		}
	}
	c.procs.Close()
	c.summary = readSummary(c.export(), c.began)
	if gone := os.RemoveAll(c.dir); gone != nil {
		err = errors.Join(err, fmt.Errorf("remove the folder of the load command: %w", gone))
	}
	return err
}

// ends reports whether the command has ended, after so much time at most.
func (c *Command) ends(ctx context.Context, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-c.done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	select {
	case <-c.done:
		return true
	default:
		return false
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
