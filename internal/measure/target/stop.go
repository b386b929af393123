package target

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Stop ends the target: SIGTERM to every process of it, after three seconds
// SIGKILL to those that are left, then its cgroup and the probe's folder are
// removed. It returns when no process is left, so its ports are free. Every
// call after the first returns what the first did.
func (t *Target) Stop() error {
	t.once.Do(func() { t.stopErr = t.stop() })
	return t.stopErr
}

func (t *Target) stop() error {
	err := t.end()
	if now := t.throttled(); now.Seconds.Known() {
		t.mu.Lock()
		t.final = now
		t.mu.Unlock()
	}
	if err == nil {
		<-t.done
	}
	if t.cgroup != nil {
		err = errors.Join(err, t.cgroup.remove())
	}
	t.guard.dismiss()
	t.output.close()
	if gone := os.RemoveAll(t.dir); gone != nil {
		err = errors.Join(err, fmt.Errorf("remove the folder of the probe's sockets: %w", gone))
	}
	return err
}

// patience is how long killed processes may take to be gone.
const patience = 5 * time.Second

// end asks, then kills.
func (t *Target) end() error {
	asked := map[int]bool{}
	left, err := t.until(t.grace, func(ms []member) {
		// Each is asked once: a second SIGTERM means "now" to many programs. A
		// child that was born meanwhile is asked too.
		for _, m := range ms {
			if !asked[m.pid] {
				asked[m.pid] = true
				m.ask()
			}
		}
	})
	if err == nil && len(left) == 0 {
		return nil
	}
	var refused error
	left, err = t.until(patience, func(ms []member) { refused = kill(ms) })
	if err != nil {
		return fmt.Errorf("stop the target: %w: look for its processes by hand", err)
	}
	if len(left) == 0 {
		return nil
	}
	names := make([]string, len(left))
	for i, m := range left {
		names[i] = fmt.Sprintf("%d (%s, state %c)", m.pid, m.name, m.state)
	}
	why := "state D waits for a device or a network file system"
	if refused != nil {
		why = refused.Error()
	}
	return fmt.Errorf("stop the target: it does not die: process %s: %s: end it by hand", strings.Join(names, ", "), why)
}

// until repeats act on what is left until nothing is, or the time is over.
func (t *Target) until(limit time.Duration, act func([]member)) ([]member, error) {
	deadline := time.Now().Add(limit)
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		left, err := t.family.members()
		if err == nil && len(left) == 0 {
			return nil, nil
		}
		act(left)
		if time.Now().After(deadline) {
			return left, err
		}
		time.Sleep(pause)
	}
}
