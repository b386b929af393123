package proc

import (
	"fmt"
	"strings"
	"syscall"
	"time"
)

// patience is how long killed processes may take to be gone.
const patience = 5 * time.Second

// End ends all processes of the command and returns when none is left: each polite
// signal in turn, with so much time after each of them, then SIGKILL. The error says
// which processes do not die, or that they cannot be listed.
//
// SIGINT goes to those that run then, and to their process group in one call, so that
// none is born between two: to many programs it means "print what you have", which a
// child may have to do, and a second one "now, without it". Any other signal goes to each
// process once, also to one that is born meanwhile. What is stopped is continued; it
// would not hear a signal. Windows knows SIGKILL alone.
func (c *Command) End(grace time.Duration, polite ...syscall.Signal) error {
	for _, sig := range polite {
		if left, err := c.until(grace, c.ask(sig)); err == nil && len(left) == 0 {
			return nil
		}
	}
	var refused error
	left, err := c.until(patience, func(ps []Process) {
		refused = nil
		for _, p := range ps {
			if err := p.signal(syscall.SIGKILL); err != nil {
				refused = err
			}
		}
	})
	if err != nil {
		return fmt.Errorf("%w: look for its processes by hand", err)
	}
	if len(left) == 0 {
		return nil
	}
	names := make([]string, len(left))
	for i, p := range left {
		names[i] = fmt.Sprintf("%d (%s, state %c)", p.PID, p.Name, p.State)
	}
	why := "state D waits for a device or a network file system"
	if refused != nil {
		why = refused.Error()
	}
	return fmt.Errorf("it does not die: process %s: %s: end it by hand", strings.Join(names, ", "), why)
}

// ask returns what to do, again and again, with the processes that are left until each
// has been sent a polite signal. A child that gets it between fork and exec handles it
// as its parent's copy would, perhaps not at all: under a new name it is sent again.
func (c *Command) ask(sig syscall.Signal) func([]Process) {
	type program struct {
		pid  int
		name string
	}
	asked := map[program]bool{}
	return func(ps []Process) {
		if sig == syscall.SIGINT {
			if len(asked) == 0 {
				asked[program{pid: c.PID()}] = true
				c.family.broadcast(ps, sig)
			}
			return
		}
		for _, p := range ps {
			if is := (program{p.PID, p.Name}); !asked[is] {
				asked[is] = true
				_ = p.signal(sig)
			}
		}
	}
}

// until repeats act on what is left until nothing is, or the time is over. A process
// between fork and exec may belong to no one that can be seen, so it looks twice.
func (c *Command) until(limit time.Duration, act func([]Process)) ([]Process, error) {
	deadline := time.Now().Add(limit)
	quiet := false
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		left, err := c.Processes()
		gone := err == nil && len(left) == 0
		if gone && quiet {
			return nil, nil
		}
		quiet = gone
		act(left)
		if !quiet && time.Now().After(deadline) {
			return left, err
		}
		time.Sleep(pause)
	}
}
