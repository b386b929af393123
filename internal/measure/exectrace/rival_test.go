//go:build unix

package exectrace_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// fileVariable makes the test binary read a trace and say what is in it.
const fileVariable = "UNPARK_TRACE_TEST_FILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(fileVariable); file != "" {
		t, err := readFile(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(t.Events, t.Inferred.Count)
		return
	}
	os.Exit(m.Run())
}

func readFile(name string) (*exectrace.Trace, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return exectrace.Read(f, exectrace.Options{Meaning: evidence.Meaning(profile.NewCatalogue("github.com/unpark-go/unpark/exectrace_test"))})
}

// largeTrace records a service with a contended lock until the trace is so long.
func largeTrace(b *testing.B, size int64) string {
	b.Helper()
	var mu sync.Mutex
	seen := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.URL.Path]++
		n := seen[r.URL.Path]
		mu.Unlock()
		fmt.Fprintf(w, `{"n":%d}`, n)
	}))
	defer server.Close()
	name := filepath.Join(b.TempDir(), "large.trace")
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := trace.Start(f); err != nil {
		b.Skip(err)
	}
	var full atomic.Bool
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() { ask(b, server.Listener.Addr().String(), fmt.Sprintf("/%d", i), &full) })
	}
	for !full.Load() {
		time.Sleep(50 * time.Millisecond)
		info, err := f.Stat()
		full.Store(err != nil || info.Size() >= size)
	}
	wg.Wait()
	trace.Stop()
	return name
}

// ask sends one request after the other over one connection.
func ask(b *testing.B, addr, path string, enough *atomic.Bool) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		b.Error(err)
		return
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	request := []byte("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n")
	for !enough.Load() {
		if _, err := conn.Write(request); err != nil {
			b.Error(err)
			return
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			b.Error(err)
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// Events a second, parsed and attributed, on one processor.
func BenchmarkRead(b *testing.B) {
	name := largeTrace(b, 16<<20)
	data, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	meaning := evidence.Meaning(profile.NewCatalogue(""))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	var events int64
	for b.Loop() {
		t, err := exectrace.Read(bytes.NewReader(data), exectrace.Options{Meaning: meaning})
		if err != nil || t.Broken != nil {
			b.Fatal(err, t.Broken)
		}
		events += t.Events
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

// The same 64 MB trace, read by a process of its own, and by go tool trace until
// its first page is there, in turns.
func BenchmarkAgainstGoToolTrace(b *testing.B) {
	tool := filepath.Join(b.TempDir(), "trace")
	if out, err := exec.Command("go", "build", "-o", tool, "cmd/trace").CombinedOutput(); err != nil {
		b.Skipf("cmd/trace cannot be built: %v: %s", err, out)
	}
	name := largeTrace(b, 64<<20)
	var ours, theirs time.Duration
	var ourMemory, theirMemory int64
	rounds := 0
	for b.Loop() {
		d, m := timed(b, readerOf(name))
		ours, ourMemory = ours+d, max(ourMemory, m)
		d, m = firstPage(b, tool, name)
		theirs, theirMemory = theirs+d, max(theirMemory, m)
		rounds++
	}
	b.ReportMetric(ours.Seconds()/float64(rounds), "s/ours")
	b.ReportMetric(theirs.Seconds()/float64(rounds), "s/theirs")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times-faster")
	b.ReportMetric(float64(ourMemory)/1024, "MB/ours")
	b.ReportMetric(float64(theirMemory)/1024, "MB/theirs")
}

func readerOf(name string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fileVariable+"="+name)
	return cmd
}

// timed runs a command and returns its time and its largest memory in kB.
func timed(b *testing.B, cmd *exec.Cmd) (time.Duration, int64) {
	b.Helper()
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return time.Since(start), int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) //nolint:unconvert // it has 32 bits where int has
}

// firstPage starts go tool trace and asks for its first page until it answers.
func firstPage(b *testing.B, tool, name string) (time.Duration, int64) {
	b.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	addr := ln.Addr().String()
	ln.Close()
	cmd := exec.Command(tool, "-http="+addr, name)
	cmd.Env = append(os.Environ(), "BROWSER=true")
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	for time.Since(start) < 5*time.Minute {
		if resp, err := http.Get("http://" + addr + "/"); err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if err == nil && resp.StatusCode == http.StatusOK {
				break
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	d := time.Since(start)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return d, int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) //nolint:unconvert // it has 32 bits where int has
}
