//go:build linux && (amd64 || arm64)

package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
)

// witness is a program that serves its own profiles: what is read from outside is held against them.
const witness = `package main

import (
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

var kept [64][]byte

//go:noinline
func allocates(i int) { kept[i%64] = make([]byte, 8<<10) }

//go:noinline
func spells(i int) string { return strings.Repeat("x", 1+i%3000) }

//go:noinline
func multiplies(n int) (h uint64) {
	for i := range n {
		h = h*1099511628211 + uint64(i)
	}
	return h
}

//go:noinline
func divides(n int) (h uint64) {
	for i := 1; i < n; i++ {
		h += uint64(n) / uint64(i)
	}
	return h
}

type queue struct{ mu sync.Mutex }

//go:noinline
func (q *queue) short() { q.mu.Lock(); time.Sleep(time.Millisecond); q.mu.Unlock() }

//go:noinline
func (q *queue) long() { q.mu.Lock(); time.Sleep(3 * time.Millisecond); q.mu.Unlock() }

//go:noinline
func receives(c chan int) { <-c }

func main() {
	runtime.SetBlockProfileRate(10_000)
	runtime.SetMutexProfileFraction(1)
	var q queue
	c := make(chan int)
	for i := range 4 {
		go func() {
			for n := i; ; n++ {
				q.short()
				time.Sleep(time.Millisecond)
				if n%3 == 0 {
					q.long()
				}
			}
		}()
	}
	go func() {
		for {
			receives(c)
		}
	}()
	go func() {
		for {
			time.Sleep(2 * time.Millisecond)
			c <- 1
		}
	}()
	go func() {
		for n := 0; ; n++ {
			allocates(n)
			_ = spells(n)
			if multiplies(40_000) == divides(4_000) {
				os.Exit(3)
			}
		}
	}()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	fmt.Println(http.Serve(l, nil))
}
`

// serving builds the witness and returns its number and address.
func serving(t *testing.T) (pid int, address string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/witness\n\ngo 1.22\n", "main.go": witness} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", "witness", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	c := exec.Command(filepath.Join(dir, "witness"))
	line := lineOf(t, c)
	return c.Process.Pid, strings.TrimSpace(line)
}

// page is what the witness says of itself.
func page(t *testing.T, address, name string) *profile.Profile {
	t.Helper()
	resp, err := http.Get("http://" + address + "/debug/pprof/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v", name, resp.StatusCode, err)
	}
	return parsed(t, b)
}

func parsed(t *testing.T, b []byte) *profile.Profile {
	t.Helper()
	p, err := profile.Parse(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// places sums a value by the innermost function of package main.
func places(p *profile.Profile, value int) map[string]float64 {
	out := map[string]float64{}
	for _, s := range p.Sample {
		for _, l := range s.Location {
			if f := l.Line[len(l.Line)-1].Function.Name; strings.HasPrefix(f, "main.") {
				out[f] += float64(s.Value[value])
				break
			}
		}
	}
	return out
}

// TestAgainstPprof holds what is read from outside against what the process says of itself, of the
// same window: within a tenth for each place that has a twentieth of all. What it says takes a while on a busy machine, and all
// counts only grow: it is of an instant between two readings.
func TestAgainstPprof(t *testing.T) {
	pid, address := serving(t)
	p, err := Open(pid)
	if err != nil {
		t.Fatal(err)
	}
	kinds := []struct {
		kind  unpark.Kind
		value int
	}{{unpark.KindBlock, 1}, {unpark.KindMutex, 1}, {unpark.KindAllocs, 1}}
	type reading struct{ before, inside, after map[string]float64 }
	read := func() (all []reading) {
		for _, k := range kinds {
			outside := func() map[string]float64 {
				b, err := p.Profile(k.kind)
				if err != nil {
					t.Fatal(err)
				}
				return places(parsed(t, b), k.value)
			}
			before := outside()
			inside := places(page(t, address, string(k.kind)), k.value)
			all = append(all, reading{before, inside, outside()})
		}
		return all
	}
	first := read()
	time.Sleep(3 * time.Second)
	last := read()
	for i, k := range kinds {
		a, b := first[i], last[i]
		var all float64
		for f := range b.inside {
			b.inside[f] -= a.inside[f]
			all += b.inside[f]
		}
		if all <= 0 {
			t.Errorf("%s: it says nothing of itself", k.kind)
		}
		for f, want := range b.inside {
			least, most := b.before[f]-a.after[f], b.after[f]-a.before[f]
			if want >= all/20 && (want < 0.9*least || want > 1.1*most) {
				t.Errorf("%s: %s: %.4g to %.4g from outside, %.4g by pprof", k.kind, f, least, most, want)
			}
		}
	}
}

// TestCPUAgainstPprof: the kernel's samples and the process's own, of the same seconds, agree.
func TestCPUAgainstPprof(t *testing.T) {
	if testing.Short() {
		t.Skip("samples for five seconds")
	}
	pid, address := serving(t)
	p, err := Open(pid)
	if err != nil {
		t.Fatal(err)
	}
	const length = 5 * time.Second
	var outside []byte
	var wait sync.WaitGroup
	wait.Go(func() { outside, err = p.CPU(context.Background(), length, Sampling{}) })
	inside := page(t, address, fmt.Sprintf("profile?seconds=%.0f", length.Seconds()))
	wait.Wait()
	if errors.Is(err, ErrKind) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	shares := func(p *profile.Profile) (of map[string]float64, samples float64) {
		of, all := places(p, 1), 0.0
		for _, s := range p.Sample {
			all, samples = all+float64(s.Value[1]), samples+float64(s.Value[0])
		}
		for f := range of {
			of[f] /= all
		}
		return of, samples
	}
	got, n := shares(parsed(t, outside))
	want, m := shares(inside)
	for f, share := range want {
		// Two points, and what two samples of that size differ by one time in ten thousand.
		differ := 0.02 + 4*math.Sqrt(share*(1-share)*(1/n+1/m))
		if share >= 0.05 && math.Abs(got[f]-share) > differ {
			t.Errorf("%s: %.1f %% of %v by perf, %.1f %% of %v by pprof", f, 100*got[f], n, 100*share, m)
		}
	}
	if len(want) < 2 {
		t.Errorf("by pprof: %v", want)
	}
	t.Logf("by perf %.3v, by pprof %.3v", got, want)
}
