//go:build linux && (amd64 || arm64)

package attach

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/unpark-go/unpark/internal/measure/inspect"
	"github.com/unpark-go/unpark/internal/rota"
)

// role is the variable that turns the test binary into a reader, or into an unpark that reads the
// processes in it and then hangs.
const role = "UNPARK_ATTACH_TEST"

func TestMain(m *testing.M) {
	what, pids, _ := strings.Cut(os.Getenv(role), " ")
	switch what {
	case "":
		os.Exit(m.Run())
	case "reader":
		reader()
	case "unpark":
		hang(pids)
	case "refused":
		refused(pids)
	}
}

// reader reads the arguments that Start appends.
func reader() {
	dir := ""
	var o Options
	for args := os.Args[1:]; len(args) > 0; args = args[1:] {
		switch pid, err := strconv.Atoi(args[0]); {
		case args[0] == "--dir":
			dir, args = args[1], args[1:]
		case args[0] == "--read-only":
			o.ReadOnly = true
		case args[0] == "--memory-rate":
			o.MemoryRate, _ = strconv.ParseInt(args[1], 10, 64)
			args = args[1:]
		case err == nil:
			o.PIDs = append(o.PIDs, pid)
		}
	}
	if err := Serve(dir, o, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// hang leases rates as a run does, over and over, until it is killed.
func hang(pids string) {
	pid, _ := strconv.Atoi(pids)
	a, err := start(context.Background(), Options{PIDs: []int{pid}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(a.dir)
	for {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		resp, err := get(ctx, a.Addresses[0], "/debug/unpark/lease?block=1000000&mutex=1&ttl=60")
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		cancel()
	}
}

// start is Start with the test binary as the reader.
func start(ctx context.Context, o Options) (*Attached, error) {
	if err := os.Setenv(role, "reader"); err != nil {
		return nil, err
	}
	defer os.Unsetenv(role)
	o.Command = []string{os.Args[0]}
	return Start(ctx, o)
}

func get(ctx context.Context, address, page string) (*http.Response, error) {
	socket := strings.TrimPrefix(address, "unix://")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://reader"+page, nil)
	if err != nil {
		return nil, err
	}
	return client.Do(req)
}

// program imports nothing that profiles: goroutines queue for a lock, and allocate.
const program = `package main

import (
	"fmt"
	"sync"
	"time"
)

var kept []byte

func main() {
	var mu sync.Mutex
	for range 4 {
		go func() {
			for {
				mu.Lock()
				time.Sleep(time.Millisecond)
				mu.Unlock()
				kept = make([]byte, 4096)
				time.Sleep(5 * time.Millisecond)
			}
		}()
	}
	fmt.Println("ready")
	time.Sleep(5 * time.Minute)
}
`

// built is the program, built with flags of the linker and variables of the environment.
func built(t *testing.T, flags string, env ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/queue\n\ngo 1.22\n", "main.go": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-ldflags="+flags, "-o", "queue", ".")
	build.Dir, build.Env = dir, append(append(os.Environ(), "GOWORK=off", "GOFLAGS="), env...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(dir, "queue")
}

// service runs the program, stripped, until the test ends.
func service(t *testing.T) *exec.Cmd {
	t.Helper()
	return started(t, built(t, "-s -w"))
}

// started runs it until the test ends.
func started(t *testing.T, program string) *exec.Cmd {
	t.Helper()
	return running(t, exec.Command(program))
}

// running runs a command of the program until the test ends.
func running(t *testing.T, c *exec.Cmd) *exec.Cmd {
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
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the service said %q: %v", line, err)
	}
	return c
}

// TestAttached reads a process as a window does: who it is, a lease, the profile of its waits.
func TestAttached(t *testing.T) {
	pid := service(t).Process.Pid
	a, err := start(t.Context(), Options{PIDs: []int{pid}})
	if err != nil {
		t.Fatal(err)
	}
	page := func(name string) []byte {
		t.Helper()
		resp, err := get(t.Context(), a.Addresses[0], name)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d, %v: %s", name, resp.StatusCode, err, body)
		}
		return body
	}
	var info struct {
		PID      int
		Module   string
		Attached bool
	}
	if err := json.Unmarshal(page("/debug/unpark/info"), &info); err != nil || info.PID != pid || info.Module != "example.com/queue" || !info.Attached {
		t.Errorf("%+v, %v", info, err)
	}
	resp, err := get(t.Context(), a.Addresses[0], "/debug/unpark/lease?block=1000000&mutex=1&ttl=60")
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if err != nil || !strings.Contains(line, `"variable":"runtime.blockprofilerate"`) || !strings.Contains(line, `"variable":"runtime.mutexprofilerate"`) {
		t.Errorf("the lease says %s, %v", line, err)
	}
	waited := 0
	for deadline := time.Now().Add(30 * time.Second); waited == 0 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		p, err := profile.Parse(bytes.NewReader(page("/debug/pprof/block")))
		if err != nil {
			t.Fatal(err)
		}
		waited = len(p.Sample)
	}
	if waited == 0 {
		t.Error("no waits were recorded")
	}
	if text := page("/debug/pprof/goroutine?debug=2"); !bytes.Contains(text, []byte("main.main.func1")) {
		t.Errorf("goroutines:\n%s", text)
	}
	resp.Body.Close()
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	unwritten(t, pid)
	if err := a.Close(); err != nil {
		t.Error("again:", err)
	}
}

// unwritten waits until a process has the rates that it began with.
func unwritten(t *testing.T, pid int) {
	t.Helper()
	p, err := inspect.Open(pid)
	if err != nil {
		t.Fatal(err)
	}
	var rates inspect.Rates
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if rates, err = p.Rates(); err == nil && rates == (inspect.Rates{}) {
			return
		}
	}
	t.Fatalf("it still has %+v, %v", rates, err)
}

// TestReadOnly: nothing is written, whatever is asked for.
func TestReadOnly(t *testing.T) {
	pid := service(t).Process.Pid
	a, err := start(t.Context(), Options{PIDs: []int{pid}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	resp, err := get(t.Context(), a.Addresses[0], "/debug/unpark/lease?block=1000000&mutex=1&ttl=60")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if err != nil || !strings.Contains(line, `"writes":[]`) {
		t.Errorf("the lease says %s, %v", line, err)
	}
	unwritten(t, pid)
}

// TestKilled: whenever unpark is killed, the rates go back, no reader is left, and the service runs
// on.
func TestKilled(t *testing.T) {
	instants := 6
	if rota.Long(5, 7) {
		instants = 50
	}
	target := service(t)
	pid := target.Process.Pid
	for i := range instants {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), role+"=unpark "+strconv.Itoa(pid))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		dir := ""
		if i%3 > 0 { // else while it starts
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			dir = strings.TrimSpace(line)
		}
		time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		unwritten(t, pid)
		for deadline := time.Now().Add(30 * time.Second); dir != ""; time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("its reader is still there: %s", dir)
			}
		}
	}
	if err := target.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the service: %v", err)
	}
}

// TestNamed finds a program by its name.
func TestNamed(t *testing.T) {
	pid := service(t).Process.Pid
	if found, err := Named("queue"); err != nil || !slices.Contains(found, pid) {
		t.Errorf("%v, %v, want %d", found, err, pid)
	}
	if _, err := Named("no-such-program"); err == nil || !strings.Contains(err.Error(), "--pid") {
		t.Errorf("%v", err)
	}
}

// TestReaderKilled: what a reader that was killed leaves behind is told, and not where it wrote nothing or ended by itself.
func TestReaderKilled(t *testing.T) {
	pid := service(t).Process.Pid
	for _, c := range []struct{ killed, readOnly, told bool }{{true, false, true}, {true, true, false}, {false, false, false}} {
		a, err := start(t.Context(), Options{PIDs: []int{pid}, ReadOnly: c.readOnly})
		if err != nil {
			t.Fatal(err)
		}
		if c.killed {
			if err := a.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		err = a.Close()
		if (err != nil) != c.killed || strings.Contains(fmt.Sprint(err), "runtime.blockprofilerate") != c.told {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
