package target

import (
	"fmt"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

func TestPin(t *testing.T) {
	all := Allowed()
	target := launch(t, as("idle"), unconfined)
	withSockets(t, target, 1)
	if err := Pin(target.command.PID(), all[:1]); err != nil {
		t.Fatal(err)
	}
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", target.command.PID()))
	if err != nil || len(tasks) == 0 {
		t.Fatal(tasks, err)
	}
	for _, task := range tasks {
		if got := field(task, "Cpus_allowed_list"); got != strconv.Itoa(all[0]) {
			t.Errorf("%s: %q", task, got)
		}
	}
	for _, bad := range [][]int{nil, {-1}, {1023}, {5000}} {
		if err := Pin(target.command.PID(), bad); err == nil {
			t.Errorf("pinned to %v", bad)
		}
	}
}

func TestReadUsage(t *testing.T) {
	target := launch(t, as("burn"), unconfined)
	pid := target.command.PID()
	var u Usage
	eventually(t, "the target has used CPU", func() bool {
		var err error
		if u, err = ReadUsage(pid); err != nil {
			t.Fatal(err)
		}
		return u.CPU > 0.05
	})
	p, err := proc.Read(pid)
	if err != nil {
		t.Fatal(err)
	}
	if u.CPU > p.CPU+1 {
		t.Errorf("the clock says %v s, stat %v s", u.CPU, p.CPU)
	}
	if u.Threads < 2 || u.RSS < 1<<20 || u.Voluntary+u.Involuntary == 0 || u.StartTicks != p.Start {
		t.Errorf("usage %+v", u)
	}
	if err := target.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadUsage(pid); err == nil {
		t.Error("usage of a process that has ended")
	}
}

func TestMachineAndHost(t *testing.T) {
	m, err := ReadMachine()
	if err != nil || m.CPUs < 1 || m.Busy <= 0 {
		t.Errorf("%+v, %v", m, err)
	}
	h := Host()
	if h.OS != "linux" || h.CPUs != m.CPUs || h.Kernel == "" || h.Memory < 1<<20 {
		t.Errorf("%+v", h)
	}
}
