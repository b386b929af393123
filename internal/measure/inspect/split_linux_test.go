//go:build linux && (amd64 || arm64)

package inspect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// split is a program each of whose functions has a thread of its own, of which the kernel counts how long it ran: one computes all the
// while, one in short bursts between sleeps, one asks the kernel.
const split = `package main

import (
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"syscall"
	"time"
)

//go:noinline
func divides(n int) (h uint64) {
	for i := 1; i < n; i++ {
		h += uint64(n) / uint64(i)
	}
	return h
}

func computes() {
	for divides(40_000) != 1 {
	}
}

func bursts() {
	for divides(4_000) != 1 {
		time.Sleep(100 * time.Microsecond)
	}
}

func calls() {
	for {
		for range 20 {
			if f, err := os.Open("/proc/self/stat"); err == nil {
				f.Close()
			}
		}
		time.Sleep(300 * time.Microsecond)
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	threads := make(chan int)
	fmt.Print(l.Addr())
	for _, f := range []func(){computes, bursts, calls} {
		go func() {
			runtime.LockOSThread()
			threads <- syscall.Gettid()
			f()
		}()
		fmt.Print(" ", <-threads)
	}
	fmt.Println()
	fmt.Println(http.Serve(l, nil))
}
`

// ran is for how long threads ran so far, and all of a process, in seconds (proc(5), schedstat).
func ran(t *testing.T, pid int, threads []int) (of []float64, all float64) {
	t.Helper()
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		t.Fatal(err)
	}
	of = make([]float64, len(threads))
	for _, e := range entries {
		var ns float64
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/schedstat", pid, e.Name()))
		if err != nil {
			continue
		}
		if _, err := fmt.Sscan(string(b), &ns); err != nil {
			t.Skip("the kernel does not count for how long threads ran")
		}
		all += ns / 1e9
		for i, id := range threads {
			if e.Name() == fmt.Sprint(id) {
				of[i] = ns / 1e9
			}
		}
	}
	return of, all
}

// begunBy is the part of a profile's CPU below the function that a goroutine begins with.
func begunBy(p *profile.Profile, function string) (part, samples float64) {
	var all float64
	for _, s := range p.Sample {
		all, samples = all+float64(s.Value[1]), samples+float64(s.Value[0])
		for _, l := range s.Location {
			if l.Line[len(l.Line)-1].Function.Name == function {
				part += float64(s.Value[1])
				break
			}
		}
	}
	return part / all, samples
}

// TestCPUAgainstKernel: shares of functions are those that the kernel counted of their threads, within 2 points. With -v it prints
// what runtime/pprof says of the same seconds, which no bound is on: it is further off.
func TestCPUAgainstKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("samples for five seconds")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/split\n\ngo 1.22\n", "main.go": split} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "split", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	c := exec.Command(filepath.Join(dir, "split"))
	said := strings.Fields(lineOf(t, c))
	threads := make([]int, 3)
	if _, err := fmt.Sscan(strings.Join(said[1:], " "), &threads[0], &threads[1], &threads[2]); err != nil {
		t.Fatal(err)
	}
	p, err := Open(c.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	const length = 5 * time.Second
	var inside *profile.Profile
	var wait sync.WaitGroup
	if testing.Verbose() {
		wait.Go(func() { inside = page(t, said[0], fmt.Sprintf("profile?seconds=%.0f", length.Seconds())) })
	}
	before, first := ran(t, p.PID, threads)
	outside, err := p.CPU(context.Background(), length, Sampling{})
	if errors.Is(err, ErrKind) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	after, last := ran(t, p.PID, threads)
	wait.Wait()
	for i, f := range []string{"main.computes", "main.bursts", "main.calls"} {
		want := (after[i] - before[i]) / (last - first)
		got, n := begunBy(parsed(t, outside), f)
		// And what samples of that number are off by one time in ten thousand.
		if math.Abs(got-want) > 0.02+4*math.Sqrt(want*(1-want)/n) {
			t.Errorf("%s: %.1f %% of %v by perf, %.1f %% by the kernel", f, 100*got, n, 100*want)
		}
		if inside != nil {
			by, _ := begunBy(inside, f)
			t.Logf("%s kernel %.2f perf %+.2f pprof %+.2f", f, 100*want, 100*(got-want), 100*(by-want))
		}
	}
}
