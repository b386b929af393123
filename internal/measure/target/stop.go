package target

import (
	"errors"
	"fmt"
	"os"
	"syscall"
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
	err := t.command.End(t.grace, syscall.SIGTERM)
	if err != nil {
		err = fmt.Errorf("stop the target: %w", err)
	}
	if now := t.throttled(); now.Seconds.Known() {
		t.mu.Lock()
		t.final = now
		t.mu.Unlock()
	}
	if err == nil {
		<-t.Done()
	}
	if t.cgroup != nil {
		err = errors.Join(err, t.cgroup.Remove())
	}
	t.command.Close()
	if gone := os.RemoveAll(t.dir); gone != nil {
		err = errors.Join(err, fmt.Errorf("remove the folder of the probe's sockets: %w", gone))
	}
	return err
}
