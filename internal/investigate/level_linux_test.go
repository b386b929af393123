package investigate

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/target"
)

// TestDaemonIsRefused: a command that leaves its service running has ended, and is told
// to stay; one that ended whole is told to be looked at.
func TestDaemonIsRefused(t *testing.T) {
	for script, says := range map[string]string{
		"sleep 60 & exit 0": "exited with status 0: it left a process running (sleep 60): start it in the foreground, not as a daemon",
		"exit 3":            "exit status 3: start it by hand to see why",
	} {
		started, err := target.Start(t.Context(), target.Spec{Command: []string{"sh", "-c", script}})
		if err != nil {
			t.Fatal(err)
		}
		r := newRunner(Config{}).service
		r.target = started
		<-started.Done()
		if _, err := r.endpoints(t.Context()); err == nil || !strings.Contains(err.Error(), "died before there was load: it ") || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", script, err)
		}
		r.loaded = true
		if err := r.alive(); err == nil || !strings.Contains(err.Error(), "died under load: it ") || !strings.Contains(err.Error(), says) {
			t.Errorf("%q, loaded: %v", script, err)
		}
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	}
}
