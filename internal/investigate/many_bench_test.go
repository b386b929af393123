//go:build linux

package investigate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// BenchmarkManyProcesses is issue 19: agents that have captured processes hand in all that they have, and from there, the end
// of the last phase, until the run directory with its verdict is there it may take 10 s, and the coordinator with its NATS server
// 512 MB. Agents are stand-ins in one other process, on the same machine; all processes have 24 profiles, and one of each agent a
// trace of 16 MB.
func BenchmarkManyProcesses(b *testing.B) {
	for _, c := range []struct{ agents, each int }{{4, 8}, {16, 1}, {16, 8}} {
		b.Run(fmt.Sprintf("agents=%d/processes=%d", c.agents, c.agents*c.each), func(b *testing.B) {
			dir := b.TempDir()
			self, err := os.Executable()
			if err != nil {
				b.Fatal(err)
			}
			words := func(name string, args ...any) *exec.Cmd {
				child := exec.Command(self)
				child.Env = append(os.Environ(), name+"="+strings.TrimSpace(fmt.Sprintln(args...)))
				child.Stderr = os.Stderr
				return child
			}
			config := Config{
				Plan:  unpark.Plan{Mode: unpark.Constant, RateRPS: 4000, Connections: 64, Duration: 2, Timeout: 5, Requests: []unpark.Request{{URL: "http://127.0.0.1:9/"}}},
				Trace: time.Second, Rates: window.DefaultRates(),
			}
			phases := fleet.Phases(0, config.Window(), 0, config.Trace, true)
			var names []string
			var windowAt, end time.Duration
			for _, p := range phases {
				names, end = append(names, p.Name), max(end, p.At+p.Length)
				if p.Name == "window" {
					windowAt = p.At
				}
			}
			if err := words(asFolder, dir, c.agents, c.each, 16<<20, strings.Join(names, ",")).Run(); err != nil {
				b.Fatal(err)
			}
			id, join, _, err := hub.Open(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			f, err := fleet.Open(b.Context(), fleet.Options{Identity: id, Listen: "127.0.0.1:0"})
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			agents := words(asAgents, f.URL(), join, dir, c.agents, c.each)
			if err := agents.Start(); err != nil {
				b.Fatal(err)
			}
			defer func() {
				_ = agents.Process.Kill()
				_ = agents.Wait()
			}()
			defer debug.SetMemoryLimit(debug.SetMemoryLimit(400 << 20)) // as the command has
			for round := 0; b.Loop(); round++ {
				chosen, err := f.Choose(b.Context(), strconv.Itoa(c.agents), 30*time.Second)
				if err != nil {
					b.Fatal(err)
				}
				team := &fleet.Team{Fleet: f, Agents: chosen, Capture: map[string][]string{}, Hosts: []string{"127.0.0.1"}}
				for _, a := range chosen {
					team.Capture[a.Name] = []string{"http://127.0.0.1:6060"}
				}
				config.Agents, config.Dir = team, filepath.Join(b.TempDir(), "run")
				debug.FreeOSMemory()
				_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak begins anew
				var fetched, read time.Time                               // when all was in the run directory, within a quarter of a second, and when it was decoded
				config.Progress = func(e Event) {
					switch e.Phase {
					case "collect":
						fetched = time.Now()
					case "diagnose":
						read = time.Now()
					}
				}
				before := cpuUsed()
				outcome, err := Run(b.Context(), config)
				if err != nil {
					b.Fatal(err)
				}
				w := outcome.Run.Windows[0]
				over := w.Start.Add(end - windowAt)
				took := time.Since(over)
				if n := len(w.Processes); n != c.agents*c.each || len(outcome.Run.Void) > 0 || outcome.Run.Limit.Kind == "" || w.Tracing == nil || w.Load == nil {
					b.Fatalf("%d processes, void %+v, limit %+v, tracing %v, load %v; warnings %+v", n, outcome.Run.Void, outcome.Run.Limit, w.Tracing != nil, w.Load != nil, outcome.Run.Warnings)
				}
				b.ReportMetric(took.Seconds(), "s")
				b.ReportMetric(peak(), "peak-MB")
				b.ReportMetric(0, "ns/op")
				b.Logf("round %d: %.2f s, of which %.2f until all was fetched and %.2f to decode profiles; %.0f MB, %.1f s of CPU; %d findings, limit %s",
					round, took.Seconds(), fetched.Sub(over).Seconds(), read.Sub(fetched).Seconds(), peak(), (cpuUsed() - before).Seconds(), len(outcome.Run.Findings), outcome.Run.Limit.Kind)
			}
		})
	}
}

// cpuUsed is the CPU time of this process.
func cpuUsed() time.Duration {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u) // of this process it cannot fail
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the most memory that the process had since it was asked to count anew, in MB.
func peak() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kb float64
	_, _ = fmt.Sscan(rest, &kb) // 0 when it does not say
	return kb / 1024
}
