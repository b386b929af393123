//go:build linux && (amd64 || arm64)

package inspect

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/rota"
)

// service is a program that imports no profiling code: goroutines queue for a lock that one
// of them holds for a millisecond at a time. They come in rounds, so that the queue is empty after each, also on a machine
// that is busy with other things: while it is not, the time since when its head waits is handed on, and it stays unknown where it
// began before the rate was set (runtime/sema.go, acquiretime).
const service = `package main

import (
	"fmt"
	"sync"
	"time"
)

type cache struct{ mu sync.Mutex }

//go:noinline
func (c *cache) get() {
	c.mu.Lock()
	time.Sleep(time.Millisecond)
	c.mu.Unlock()
}

func main() {
	go rounds(new(cache))
	for range 50 {
		go parked(make(chan int))
	}
	a, b := new(account), new(account)
	a.all.Add(1)
	a.taken.Add(1)
	b.taken.Add(1)
	go keep(a, make(chan int))
	go keep(b, make(chan int))
	a.taken.Wait()
	b.taken.Wait()
	for range 3 {
		go lock(a)
		go lock(b)
	}
	go read(a)
	go write(a)
	go join(a)
	fmt.Println("ready")
	time.Sleep(time.Minute)
}

func rounds(c *cache) {
	for {
		var all sync.WaitGroup
		for range 8 {
			all.Add(1)
			go func() {
				c.get()
				all.Done()
			}()
		}
		all.Wait()
		time.Sleep(10 * time.Millisecond)
	}
}

type account struct {
	name  string
	mu    sync.Mutex
	rw    sync.RWMutex
	all   sync.WaitGroup
	taken sync.WaitGroup
}

//go:noinline
func keep(a *account, c chan int) {
	a.mu.Lock()
	a.rw.Lock()
	a.taken.Done()
	<-c
	a.rw.Unlock()
	a.mu.Unlock()
}

//go:noinline
func lock(a *account) { m := &a.mu; m.Lock(); m.Unlock() }

//go:noinline
func read(a *account) { m := &a.rw; m.RLock(); m.RUnlock() }

//go:noinline
func write(a *account) { m := &a.rw; m.Lock(); m.Unlock() }

//go:noinline
func join(a *account) { g := &a.all; g.Wait(); g.Add(1) }

//go:noinline
func parked(c chan int) { <-c }
`

// cgo is, in place of a flag, a program with C in it.
const cgo = "with C"

// withC is a file that makes it one.
const withC = "package main\n\n// static int one(void) { return 1; }\nimport \"C\"\n\nvar _ = C.one()\n"

// started builds the service and runs it until the test ends.
func started(t *testing.T, flags ...string) int { return startedBy(t, "local", flags...) }

// startedBy builds it with a toolchain.
func startedBy(t *testing.T, toolchain string, flags ...string) int {
	t.Helper()
	return run(t, built(t, []string{"GOTOOLCHAIN=" + toolchain}, flags...))
}

// built builds it with an environment, and returns its path.
func built(t *testing.T, env []string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/service\n\ngo 1.22.0\n", "main.go": service}
	if slices.Contains(flags, cgo) {
		if _, err := exec.LookPath("gcc"); err != nil {
			t.Skip(err)
		}
		files["c.go"] = withC
		flags = slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return f == cgo })
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", append(append([]string{"build", "-o", "service"}, flags...), ".")...)
	build.Dir, build.Env = dir, append(append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOTOOLCHAIN=local"), env...)
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return filepath.Join(dir, "service")
}

func run(t *testing.T, program string) int {
	t.Helper()
	c := exec.Command(program)
	if line := lineOf(t, c); line != "ready\n" {
		t.Fatalf("the service said %q", line)
	}
	return c.Process.Pid
}

// lineOf starts a program, which runs until the test ends, and returns its first line.
func lineOf(t testing.TB, c *exec.Cmd) string {
	t.Helper()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_, _ = io.Copy(io.Discard, out)
		_ = c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the service said %q: %v", line, err)
	}
	return line
}

// TestBuilds reads the same service however it was linked.
func TestBuilds(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags []string
	}{
		{"as go build leaves it", nil},
		{"with cgo", []string{"-ldflags=-linkmode=external", cgo}},
		{"with cgo, stripped and position-independent", []string{"-ldflags=-linkmode=external -s -w", "-buildmode=pie", cgo}},
		{"stripped", []string{"-ldflags=-s -w"}},
		{"without DWARF", []string{"-ldflags=-w"}},
		{"position-independent", []string{"-buildmode=pie"}},
		{"position-independent and stripped", []string{"-buildmode=pie", "-ldflags=-s -w"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && len(c.flags) == 1 {
				t.Skip("the others have this in them")
			}
			t.Parallel()
			p, err := Open(started(t, c.flags...))
			if err != nil {
				t.Fatal(err)
			}
			looks(t, p)
		})
	}
}

// TestExecutableIsGone: a service whose file was replaced by a newer one, and then removed.
func TestExecutableIsGone(t *testing.T) {
	pid := started(t, "-ldflags=-s -w")
	file, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("another program"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Open(pid)
	if err != nil {
		t.Fatal(err)
	}
	looks(t, p)
}

// TestVersions reads programs of each Go version that there are tables for, stripped and not.
func TestVersions(t *testing.T) {
	toolchains := []string{"go1.22.12", "go1.23.12", "go1.24.13", "go1.25.11", "go1.27.1"}
	for n, toolchain := range toolchains {
		if !rota.Long(n, len(toolchains)) {
			continue
		}
		if said, err := exec.Command("env", "GOTOOLCHAIN="+toolchain, "go", "version").CombinedOutput(); err != nil {
			t.Logf("%s cannot be had here: %s", toolchain, said)
			continue
		}
		for _, flags := range [][]string{nil, {"-ldflags=-s -w"}} {
			t.Run(fmt.Sprint(toolchain, flags), func(t *testing.T) {
				p, err := Open(startedBy(t, toolchain, flags...))
				if err != nil {
					t.Fatal(err)
				}
				if got := p.Image.Build.GoVersion; got != toolchain {
					t.Fatalf("built with %s", got)
				}
				looks(t, p)
			})
		}
	}
}

// looks finds the lock and the parked goroutines.
func looks(t *testing.T, p *Process) {
	t.Helper()
	before, err := p.Rates()
	if err != nil || before != (Rates{}) {
		t.Fatalf("rates %+v, %v: nothing is recorded yet", before, err)
	}
	lease, err := p.Lend(Rates{Block: 1e6, Mutex: 1})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	time.Sleep(2 * time.Second)
	took := time.Since(began).Seconds()
	var delays []float64
	for _, k := range []unpark.Kind{unpark.KindBlock, unpark.KindMutex} {
		b, err := p.Profile(k)
		if err != nil {
			t.Fatal(err)
		}
		delay, lines := waited(t, b, "main.(*cache).get")
		if delay < 0.1*took || delay > 9*took {
			t.Errorf("%s: %.3g s of waiting in %.3g s:\n%s", k, delay, took, lines)
		}
		delays = append(delays, delay)
	}
	if r := delays[0] / delays[1]; r < 0.6 || r > 1.7 {
		t.Errorf("by the block profile %.3g s were waited, by the mutex profile %.3g s", delays[0], delays[1])
	}
	if err := lease.Release(); err != nil {
		t.Error(err)
	}
	if after, err := p.Rates(); err != nil || after != before {
		t.Errorf("rates after the lease: %+v, %v", after, err)
	}
	c, err := p.sample(1000)
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]int{}
	for _, g := range c.seen {
		for _, f := range p.Image.Functions.Expand(g.stack) {
			if strings.HasPrefix(f.Function, "main.") {
				in[f.Function]++
				break
			}
		}
	}
	if in["main.parked"] != 50 {
		t.Errorf("of %d goroutines (%d torn): %v", len(c.seen), c.torn, in)
	}
	waitsAndHolds(t, p)
}

// waited sums the seconds below a function.
func waited(t *testing.T, b []byte, function string) (float64, string) {
	t.Helper()
	p, err := profile.Parse(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	sum, lines := 0.0, ""
	for _, s := range p.Sample {
		var way []string
		for _, l := range s.Location {
			way = append(way, fmt.Sprintf("%s:%d", l.Line[0].Function.Name, l.Line[0].Line))
		}
		lines += fmt.Sprintln(s.Value, way)
		if strings.Contains(strings.Join(way, " "), function) {
			sum += float64(s.Value[1]) / 1e9
		}
	}
	return sum, lines
}
