//go:build linux && (amd64 || arm64)

package inspect

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark"
)

// crowd is a service that works a little beside so many goroutines, a tenth of which wait in one place.
const crowd = `package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

//go:noinline
func tenth(c chan int) { <-c }

//go:noinline
func rest(c chan int) { <-c }

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	c := make(chan int)
	for i := range n {
		if i%10 == 0 {
			go tenth(c)
		} else {
			go rest(c)
		}
	}
	for range 4 {
		go func() {
			for x := 0; ; time.Sleep(500 * time.Microsecond) {
				for range 100_000 {
					x += x ^ 1
				}
			}
		}()
	}
	time.Sleep(time.Second)
	fmt.Println("ready")
	time.Sleep(time.Hour)
}
`

// BenchmarkGoroutines reads the goroutines of a service that has ten of them, up to a million: the time of a reading, the
// CPU of the reader (µs-cpu/op), and how far off (ratio) a reading is about a place that a tenth of them wait in.
func BenchmarkGoroutines(b *testing.B) {
	dir := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/crowd\n\ngo 1.22.0\n", "main.go": crowd} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(dir, "crowd")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOTOOLCHAIN=local")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, n := range []int{10, 1000, mostSampled, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { readCrowd(b, path, n) })
	}
}

func readCrowd(b *testing.B, path string, n int) {
	c := exec.Command(path, fmt.Sprint(n))
	if line := lineOf(b, c); line != "ready\n" {
		b.Fatalf("the service said %q", line)
	}
	p, err := Open(c.Process.Pid)
	if err != nil {
		b.Skip(err)
	}
	b.ReportAllocs()
	before := used(b)
	var off float64
	var moved int
	for b.Loop() {
		text, err := p.Profile(unpark.KindGoroutine)
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		paused := used(b)
		off += math.Abs(waitingIn(b, text, "main.tenth")-float64(n)/10) / (float64(n) / 10)
		before += used(b) - paused
		b.StartTimer()
	}
	cpu := used(b) - before
	b.ReportMetric(float64(cpu.Microseconds())/float64(b.N), "µs-cpu/op")
	b.ReportMetric(off/float64(b.N), "off")
	if census, err := p.sample(mostSampled); err == nil {
		moved = census.torn
	}
	b.ReportMetric(float64(moved), "moved")
}

// used is the CPU of this process.
func used(tb testing.TB) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// waitingIn is how many goroutines a profile has in a function.
func waitingIn(tb testing.TB, text []byte, function string) float64 {
	p, err := profile.Parse(bytes.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	var n int64
	for _, s := range p.Sample {
		if slices.ContainsFunc(s.Location, func(l *profile.Location) bool {
			return len(l.Line) > 0 && strings.HasPrefix(l.Line[0].Function.Name, function)
		}) {
			n += s.Value[0]
		}
	}
	return float64(n)
}
