package target

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/measure/target/sockets"
)

// cgroupDir is the folder of a target's cgroup.
func cgroupDir(t *Target) string { return t.cgroup.Confinement(nil).Cgroup }

// confiners are the ways to hold a target together that work on this machine.
func confiners(t *testing.T) map[string]func(float64) (*confine.Group, error) {
	t.Helper()
	ways := map[string]func(float64) (*confine.Group, error){"none": unconfined}
	for name, controller := range map[string]string{"v1": "cpu", "v2": ""} {
		if g, err := confine.MakeIn(controller, 0); err != nil {
			t.Logf("%s cannot be tested here: %v", name, err)
			continue
		} else if err := g.Remove(); err != nil {
			t.Fatal(err)
		}
		ways[name] = func(q float64) (*confine.Group, error) { return confine.MakeIn(controller, q) }
	}
	return ways
}

// limiter returns a way to set a quota or skips.
func limiter(t *testing.T) func(float64) (*confine.Group, error) {
	t.Helper()
	g, err := confine.Make(1)
	if err != nil {
		t.Skipf("no CPU quota on this machine: %v", err)
	}
	if err := g.Remove(); err != nil {
		t.Fatal(err)
	}
	return confine.Make
}

func TestStopLeavesNothingBehind(t *testing.T) {
	for name, way := range confiners(t) {
		t.Run(name, func(t *testing.T) {
			target := launch(t, as("serve"), way)
			if err := target.WaitReady(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			ports, err := target.Ports()
			if err != nil || len(ports) != 1 {
				t.Fatalf("ports %v, %v", ports, err)
			}
			addr := "127.0.0.1:" + strconv.Itoa(ports[0])
			if err := target.WaitReady(t.Context(), "http://"+addr+"/"); err != nil {
				t.Fatal("a status of 503 is an answer:", err)
			}
			ps := withSockets(t, target, 1)
			if pid, ok := sockets.Listening(addr); !ok || pid != ps[0].PID {
				t.Errorf("Listening(%s) = %d %v, want process %d", addr, pid, ok, ps[0].PID)
			}
			if info, err := os.Stat(target.ProbeDir()); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the probe's folder: %v, %v", info, err)
			}
			if target.ExitError() != nil {
				t.Errorf("it runs, and ExitError says %v", target.ExitError())
			}
			if err := target.Stop(); err != nil {
				t.Fatal(err)
			}
			if err := target.Stop(); err != nil {
				t.Fatal("the second time:", err)
			}
			<-target.Done()
			if target.ExitError() == nil {
				t.Error("ExitError is nil after the end")
			}
			if _, ok := sockets.Listening(addr); ok || running(ps[0].PID) {
				t.Error("it still runs")
			}
			left := []string{target.ProbeDir()}
			if target.cgroup != nil {
				left = append(left, cgroupDir(target))
			}
			for _, dir := range left {
				if _, err := os.Stat(dir); !os.IsNotExist(err) {
					t.Errorf("%s is left: %v", dir, err)
				}
			}
			if ps, err := target.Processes(); len(ps) > 0 || err != nil {
				t.Errorf("processes after Stop: %v, %v", ps, err)
			}
		})
	}
}

func TestPreforkChildrenAreFound(t *testing.T) {
	for name, way := range confiners(t) {
		t.Run(name, func(t *testing.T) {
			target := launch(t, as("prefork"), way)
			ps := withSockets(t, target, 3)
			if len(ps) != 3 {
				t.Fatalf("%d processes, want 3: %v", len(ps), ps)
			}
			if !slices.IsSortedFunc(ps, func(a, b Process) int { return a.PID - b.PID }) {
				t.Errorf("not sorted: %v", ps)
			}
			root, children := target.command.PID(), 0
			for _, p := range ps {
				if p.Parent == root {
					children++
				}
				if p.Socket != filepath.Join(target.ProbeDir(), strconv.Itoa(p.PID)+".sock") || !strings.Contains(p.Command, filepath.Base(os.Args[0])) {
					t.Errorf("process %+v", p)
				}
			}
			if children != 2 {
				t.Errorf("%d children of %d, want 2: %v", children, root, ps)
			}
			if err := target.Stop(); err != nil {
				t.Fatal(err)
			}
			for _, p := range ps {
				if running(p.PID) {
					t.Errorf("process %d still runs", p.PID)
				}
			}
		})
	}
}

// A daemon has another parent and a session of its own.
func TestDaemonIsFoundAndStopped(t *testing.T) {
	for name, way := range confiners(t) {
		t.Run(name, func(t *testing.T) {
			target := launch(t, as("daemon"), way)
			var daemon Process
			eventually(t, "the daemon has lost its parent", func() bool {
				for _, p := range withSockets(t, target, 1) {
					if p.Socket != "" {
						daemon = p
					}
				}
				ps, _ := target.Processes()
				return len(ps) == 2 && !slices.ContainsFunc(ps, func(p Process) bool { return p.PID == daemon.Parent })
			})
			if err := target.Stop(); err != nil {
				t.Fatal(err)
			}
			if running(daemon.PID) {
				t.Errorf("the daemon %d still runs", daemon.PID)
			}
		})
	}
}

func TestProcessThatIgnoresSIGTERM(t *testing.T) {
	for name, way := range confiners(t) {
		t.Run(name, func(t *testing.T) {
			target := launch(t, as("stubborn"), way)
			pid := withSockets(t, target, 1)[0].PID
			target.grace /= 10
			if err := target.Stop(); err != nil {
				t.Fatal(err)
			}
			if running(pid) || !strings.Contains(target.ExitError().Error(), "killed") {
				t.Errorf("runs %v, ended %v", running(pid), target.ExitError())
			}
		})
	}
}

// The runtime keeps the file of its limit open from its start on, so the file
// says which cgroup it was in then (internal/runtime/cgroup.OpenCPU).
func TestQuotaIsThereFromTheFirstInstant(t *testing.T) {
	s := as("serve")
	s.Quota = 1.5
	target := launch(t, s, limiter(t))
	if err := target.WaitReady(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	d := target.Describe()
	if d.Quota != unpark.Num(1.5) || !strings.HasPrefix(d.Confinement, "cgroup v") {
		t.Errorf("quota %v, confinement %q", d.Quota, d.Confinement)
	}
	dir := fmt.Sprintf("/proc/%d/fd", target.command.PID())
	fds, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var open []string
	for _, fd := range fds {
		if link, err := os.Readlink(filepath.Join(dir, fd.Name())); err == nil {
			open = append(open, link)
		}
	}
	if !slices.ContainsFunc(open, func(f string) bool { return strings.HasPrefix(f, cgroupDir(target)+"/cpu.") }) {
		t.Errorf("the runtime has no limit of %s open, but %v", cgroupDir(target), open)
	}
	if b := confine.BoundsOf([]int{target.command.PID()}); b.Quota != unpark.Num(1.5) || !b.Throttled().Seconds.Known() {
		t.Errorf("bounds: %v, %v", b.Quota, b.Throttled())
	}
	// This thread and the others of unpark are where they were.
	for _, p := range []string{"self", "thread-self"} {
		cgroups, err := os.ReadFile("/proc/" + p + "/cgroup")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(cgroups), filepath.Base(cgroupDir(target))) {
			t.Errorf("%s is in the target's cgroup: %s", p, cgroups)
		}
	}
}

func TestThrottledGrows(t *testing.T) {
	s := as("burn")
	s.Quota = 0.02
	target := launch(t, s, limiter(t))
	eventually(t, "the target is throttled", func() bool { return target.Throttled().Seconds.Or(0) > 0.05 })
	before := target.Throttled().Seconds.Or(0)
	if err := target.Stop(); err != nil {
		t.Fatal(err)
	}
	if after := target.Throttled().Seconds.Or(0); after < before {
		t.Errorf("throttled %v s, and %v s after Stop", before, after)
	}
}

func TestNoQuotaToBeHad(t *testing.T) {
	s := as("idle")
	s.Quota = 1
	target := launch(t, s, unconfined)
	if c := target.Describe().Confinement; c != "none: not in this test" {
		t.Errorf("confinement %q", c)
	}
}

// A cgroup that takes nobody costs the target its quota, not its start.
func TestCgroupThatTakesNobody(t *testing.T) {
	gone := map[string]func(float64) (*confine.Group, error){
		"none": func(float64) (*confine.Group, error) { return &confine.Group{}, nil },
	}
	for name, way := range confiners(t) {
		if name == "none" {
			continue
		}
		gone[name] = func(float64) (*confine.Group, error) {
			g, err := way(0)
			if err == nil {
				err = os.Remove(g.Confinement(nil).Cgroup)
			}
			return g, err
		}
	}
	for name, way := range gone {
		s := as("idle")
		s.Quota = 1
		target := launch(t, s, way)
		if c := target.Describe().Confinement; !strings.HasPrefix(c, "none: ") || !strings.Contains(c, "no such file") && !strings.Contains(c, "check the path") {
			t.Errorf("%s: confinement %q", name, c)
		}
	}
}

func TestProcessorsAreThereFromTheFirstInstant(t *testing.T) {
	all := confine.Allowed()
	if len(all) < 2 {
		t.Skip("one processor")
	}
	s := as("serve")
	s.CPUs = all[len(all)-1:]
	target := launch(t, s, unconfined)
	if err := target.WaitReady(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	ports, err := target.Ports()
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/", ports[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, _ := io.ReadAll(response.Body); string(body) != "1" {
		t.Errorf("GOMAXPROCS %s, want 1", body)
	}
	if d := target.Describe(); d.Confinement != "affinity" || !slices.Equal(d.CPUs, s.CPUs) {
		t.Errorf("described as %q on %v", d.Confinement, d.CPUs)
	}
	if now := confine.Allowed(); !slices.Equal(now, all) {
		t.Errorf("this process now has %v, had %v", now, all)
	}
}

// Whoever kills unpark gets rid of the target too.
func TestUnparkIsKilled(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell")
	}
	for _, how := range []string{"default", "none"} {
		t.Run(how, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), role+"=unpark", "CONFINE="+how)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			got := fields(t, bufio.NewScanner(out))
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if len(got["pid"]) != 3 || len(got["folder"]) == 0 {
				t.Fatalf("got %v", got)
			}
			for _, text := range got["pid"] {
				pid, _ := strconv.Atoi(text)
				eventually(t, "process "+text+" has ended", func() bool { return !running(pid) })
			}
			for _, dir := range got["folder"] {
				eventually(t, dir+" was removed", func() bool { _, err := os.Stat(dir); return os.IsNotExist(err) })
			}
		})
	}
}

func TestPin(t *testing.T) {
	all := confine.Allowed()
	target := launch(t, as("idle"), unconfined)
	withSockets(t, target, 1)
	if err := confine.Pin(target.command.PID(), all[:1]); err != nil {
		t.Fatal(err)
	}
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", target.command.PID()))
	if err != nil || len(tasks) == 0 {
		t.Fatal(tasks, err)
	}
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			t.Fatal(err)
		}
		if want := "Cpus_allowed_list:\t" + strconv.Itoa(all[0]) + "\n"; !strings.Contains(string(text), want) {
			t.Errorf("%s: not %q", task, want)
		}
	}
	for _, bad := range [][]int{nil, {-1}, {1023}, {5000}} {
		if err := confine.Pin(target.command.PID(), bad); err == nil {
			t.Errorf("pinned to %v", bad)
		}
	}
}
