//go:build unix

package verdict

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/rota"
	"github.com/unpark-go/unpark/labs/expect"
)

// TestPrefork: one row per child, profiles of every child, and merged totals
// that are the sum of the children's.
func TestPrefork(t *testing.T) {
	if !rota.Long(0, 2) {
		t.Skip("runs a service under load")
	}
	lab, err := expect.Read("../catalog/expect.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const workers = 2
	outcome, err := watched(t, build(t, "catalog"), lab.Arms["faker"], nil, "-prefork", fmt.Sprint(workers))
	if err != nil {
		t.Fatal(err)
	}
	w := outcome.Run.Windows[0]
	if n := len(w.Processes); n != workers+1 {
		t.Errorf("%d process rows, want the master and %d children: %+v", n, workers, w.Processes)
	}
	for _, p := range w.Processes {
		if !p.Threads.Known() {
			t.Errorf("the threads of process %d are unknown", p.PID)
		}
		if p.Endpoint != "" && p.GOMAXPROCS.Or(0) != 1 {
			t.Errorf("worker %d has %v processors, want 1", p.PID, p.GOMAXPROCS)
		}
	}
	for _, kind := range []unpark.Kind{unpark.KindCPU, unpark.KindAllocs, unpark.KindMutex} {
		checkSum(t, outcome, kind, workers)
	}
}

// output is what the service said, which names its workers.
type output struct {
	mu   sync.Mutex
	said bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.said.Write(b)
}

var worker = regexp.MustCompile(`process (\d+) serves`)

func (o *output) workers() []int {
	o.mu.Lock()
	defer o.mu.Unlock()
	var out []int
	for _, m := range worker.FindAllStringSubmatch(o.said.String(), -1) {
		if pid, err := strconv.Atoi(m[1]); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// killing ends one worker inside of the window of three seconds, and calls before with the master
// first. It returns the worker.
func killing(t *testing.T, before func(master int)) (change func(*investigate.Config), killed func() int) {
	var said output
	pid := 0
	return func(c *investigate.Config) {
		c.Output, c.Plan.Duration = &said, 3
		c.Progress = func(e investigate.Event) {
			workers := said.workers()
			if e.Phase != "window" || e.Live == nil || e.Left > 1500*time.Millisecond || pid != 0 || len(workers) == 0 {
				return
			}
			pid = workers[0]
			if before != nil {
				before(parent(t, pid))
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Error(err)
			}
		}
	}, func() int { return pid }
}

// parent reads the parent of a process.
func parent(t *testing.T, pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Error(err)
		return 0
	}
	// The name is in brackets and may have blanks; the state and the parent follow.
	rest := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	parent, err := strconv.Atoi(rest[1])
	if err != nil {
		t.Error(err)
	}
	return parent
}

// TestWorkerIsKilled: a worker that ends inside the window is flagged, and the
// others are used.
func TestWorkerIsKilled(t *testing.T) {
	if !rota.Long(1, 2) {
		t.Skip("runs services under load")
	}
	lab, err := expect.Read("../catalog/expect.yaml")
	if err != nil {
		t.Fatal(err)
	}
	binary := build(t, "catalog")
	arm := lab.Arms["prefork"]
	// Fiber's master ends all workers when it sees that one is gone. Stopped, it is a
	// supervisor that notices late.
	stop := func(master int) {
		if err := syscall.Kill(master, syscall.SIGSTOP); err != nil {
			t.Error(err)
		}
	}
	change, killed := killing(t, stop)
	outcome, err := watched(t, binary, arm, change)
	if err != nil {
		t.Fatal(err)
	}
	run := outcome.Run
	i := slices.IndexFunc(run.Windows[0].Processes, func(p unpark.Process) bool { return p.PID == killed() })
	if i < 0 || run.Windows[0].Processes[i].State != "died" {
		t.Errorf("worker %d was killed: %+v", killed(), run.Windows[0].Processes)
	}
	mention := fmt.Sprintf("process %d ended inside the window", killed())
	if !slices.ContainsFunc(run.Warnings, func(n unpark.Notice) bool { return strings.Contains(n.Message, mention) }) {
		t.Errorf("no warning says %q: %+v", mention, run.Warnings)
	}
	others := 0
	for _, f := range run.Windows[0].Profiles {
		if f.Kind == unpark.KindCPU && f.State == unpark.Present && f.PID != killed() {
			others++
		}
	}
	if others != 3 {
		t.Errorf("CPU profiles of %d other workers, want 3", others)
	}
}

// TestMasterGivesUp: with a master that ends all when one is gone, as Fiber's does,
// the run fails, and says that the target died.
func TestMasterGivesUp(t *testing.T) {
	if !rota.Long(0, 2) {
		t.Skip("runs services under load")
	}
	lab, err := expect.Read("../catalog/expect.yaml")
	if err != nil {
		t.Fatal(err)
	}
	change, killed := killing(t, nil)
	_, err = watched(t, build(t, "catalog"), lab.Arms["prefork"], change)
	if killed() == 0 || err == nil || !strings.Contains(err.Error(), "died") {
		t.Errorf("worker %d was killed: %v", killed(), err)
	}
}

// checkSum holds a merged flame graph against the children's own files.
func checkSum(t *testing.T, outcome investigate.Outcome, kind unpark.Kind, workers int) {
	t.Helper()
	sum, files := 0.0, 0
	for _, f := range outcome.Run.Windows[0].Profiles {
		if f.Kind != kind || f.State != unpark.Present {
			continue
		}
		r, err := os.Open(filepath.Join(outcome.Dir, f.File))
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.Decode(r, kind, f.File)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		sum += p.Total()
		files++
	}
	if files != workers {
		t.Errorf("%s: profiles of %d processes, want %d", kind, files, workers)
	}
	for _, flame := range outcome.Run.Flames {
		if flame.Kind == kind && math.Abs(flame.Total-sum) > 1e-6*math.Max(1, sum) {
			t.Errorf("%s: merged %g %s, the children sum to %g", kind, flame.Total, flame.Unit, sum)
		}
	}
}
