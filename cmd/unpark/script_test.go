//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/kube/kubetest"
	"github.com/unpark-go/unpark/internal/measure/inspect/attach"
	"github.com/unpark-go/unpark/internal/rota"
)

func TestMain(m *testing.M) {
	// Scripts wait most of the time: for a window to end, for a service to start.
	_ = flag.Set("test.parallel", "8")
	testscript.Main(m, map[string]func(){
		"unpark":  main,
		"service": service,
		"kubectl": kubetest.Main,
	})
}

// TestScripts asserts what no neighbour's load can change; TestLive… has the rest.
func TestScripts(t *testing.T) {
	t.Parallel()
	p := scripts()
	p.Dir = filepath.Join("testdata", "script")
	testscript.Run(t, p)
}

// scripts is what all scripts have in common.
func scripts() testscript.Params {
	return testscript.Params{
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			// Short: unix sockets have at most 104 bytes, and a script's own folder
			// is deep. What is left in it is checked by `clean`.
			dir, err := os.MkdirTemp("", "u")
			if err != nil {
				return err
			}
			e.Defer(func() { os.RemoveAll(dir) })
			e.Setenv("TMPDIR", dir)
			e.Setenv("HOME", os.Getenv("HOME"))
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			e.Setenv("GOCACHE", goEnv("GOCACHE"))
			e.Setenv("GOMODCACHE", goEnv("GOMODCACHE"))
			e.Setenv("GOFLAGS", "-buildvcs=false")
			e.Setenv("GOPROXY", "off")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"again":     tryAgain,
			"interrupt": interrupt,
			"port":      port,
			"address":   address,
			"clean":     clean,
			"bomb":      bomb,
			"tinydisk":  tinydisk,
			"fact":      fact,
			"halved":    halved,
			"idle":      idle,
			"limit":     limit,
			"loaddoc":   loaddoc,
			"halt":      halt,
			"confined":  confined,
			"processid": processID,
		},
		Condition: condition,
	}
}

// condition says what a script may ask for: [attach].
func condition(name string) (bool, error) {
	// turn:PART/PARTS: the script runs on one of so many days.
	var part, parts int
	if n, _ := fmt.Sscanf(name, "turn:%d/%d", &part, &parts); n == 2 && parts > 0 {
		return rota.On(part, parts), nil
	}
	switch name {
	case "tinydisk":
		return runtime.GOOS == "linux" && os.Geteuid() == 0, nil
	case "attach":
		return attach.Supported && os.Geteuid() == 0, nil
	case "quota":
		return confines(), nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

var goEnv = func(name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// exits runs a command and checks its exit status: exits 2 unpark run. Of several,
// any will do: exits 0,4 where a busy machine can void the run.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS command args…")
	}
	among(ts, args[0], ran(ts, args[1:]))
}

// ran runs a command to its end and returns its exit status.
func ran(ts *testscript.TestScript, args []string) int {
	err := ts.Exec(args[0], args[1:]...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}

// among fails unless the status is one of those, which commas part.
func among(ts *testscript.TestScript, want string, got int) {
	if !slices.Contains(strings.Split(want, ","), strconv.Itoa(got)) {
		ts.Fatalf("exit status %d, want %s", got, want)
	}
}

// interrupt starts a command, waits until its standard error matches, sends
// SIGINT and checks the exit status: interrupt 'window' 1 unpark run ….
// Afterwards the output is in the files out and err.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupt PATTERN STATUS command args…")
	}
	pattern := regexp.MustCompile(args[0])
	path, err := exec.LookPath(filepath.Join(strings.Split(ts.Getenv("PATH"), string(os.PathListSeparator))[0], args[2]))
	ts.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME"), "TMPDIR=" + ts.Getenv("TMPDIR"), "XDG_CACHE_HOME=" + ts.Getenv("XDG_CACHE_HOME"), "GOCACHE=" + ts.Getenv("GOCACHE"), "GOFLAGS=" + ts.Getenv("GOFLAGS"), "UNPARK_S3_ENDPOINT=" + ts.Getenv("UNPARK_S3_ENDPOINT"), "AWS_ACCESS_KEY_ID=" + ts.Getenv("AWS_ACCESS_KEY_ID"), "AWS_SECRET_ACCESS_KEY=" + ts.Getenv("AWS_SECRET_ACCESS_KEY"), "AWS_REGION=" + ts.Getenv("AWS_REGION")}
	var out bytes.Buffer
	seen := &watcher{pattern: pattern, found: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &out, seen
	ts.Check(cmd.Start())
	finished := make(chan error, 1)
	go func() { finished <- cmd.Wait() }()
	select {
	case <-seen.found:
	case err := <-finished:
		ts.Fatalf("it ended before %q was seen: %v\n%s", args[0], err, seen)
	}
	ts.Check(cmd.Process.Signal(syscall.SIGINT))
	<-finished
	ts.Check(os.WriteFile(ts.MkAbs("out"), out.Bytes(), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("err"), []byte(seen.String()), 0o600))
	if left, _ := filepath.Glob(fmt.Sprintf("/sys/fs/cgroup/*/unpark-%d-*", cmd.Process.Pid)); len(left) > 0 {
		ts.Fatalf("cgroups left behind: %v", left)
	}
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[1] {
		ts.Fatalf("exit status %s, want %s\n%s", got, args[1], seen)
	}
}

// watcher collects output and tells when it matches.
type watcher struct {
	pattern *regexp.Regexp
	found   chan struct{}

	mu  sync.Mutex
	buf bytes.Buffer
	hit bool
}

var _ io.Writer = (*watcher)(nil)

func (w *watcher) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf.Write(b)
	if !w.hit && w.pattern.Match(w.buf.Bytes()) {
		w.hit = true
		close(w.found)
	}
	return len(b), nil
}

func (w *watcher) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.String()
}

// address waits until a service has written its address to a file and puts it
// into an environment variable: address FILE NAME.
func address(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: address FILE NAME")
	}
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		b, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && len(b) > 0 {
			ts.Setenv(args[1], strings.TrimSpace(string(b)))
			return
		}
	}
	ts.Fatalf("no service wrote its address to %s", args[0])
}

// clean checks that nothing was left behind: no temporary folder, no build, no process
// with the given mark in its command line, no cgroup of ours.
func clean(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: clean [MARK]")
	}
	if left, _ := os.ReadDir(ts.Getenv("TMPDIR")); len(left) > 0 {
		ts.Fatalf("left behind in TMPDIR: %v", left)
	}
	if left, _ := os.ReadDir(filepath.Join(ts.Getenv("XDG_CACHE_HOME"), "unpark", "build")); len(left) > 0 {
		ts.Fatalf("left behind of a build: %v", left)
	}
	if len(args) == 0 {
		return
	}
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		b, err := os.ReadFile(path)
		// Another run of the suite on this machine has the same marks, and a TMPDIR of its own.
		env, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "environ"))
		if err == nil && bytes.Contains(b, []byte(args[0])) && bytes.Contains(env, []byte("TMPDIR="+ts.Getenv("TMPDIR")+"\x00")) {
			ts.Fatalf("still running: %s", bytes.ReplaceAll(b, []byte{0}, []byte{' '}))
		}
	}
}

// bomb writes a gzip file of a few MB that inflates to 4 GB.
func bomb(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: bomb FILE")
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	ts.Check(err)
	zeros := make([]byte, 1<<20)
	for range 1 << 10 {
		_, err := z.Write(zeros)
		ts.Check(err)
	}
	ts.Check(z.Close())
	// Members of one gzip file follow each other: the same GB four times.
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat(b.Bytes(), 4), 0o600))
}

// fact checks a fact of the first finding of the run document on the last
// standard output: fact PATTERN LOW HIGH.
func fact(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: fact PATTERN LOW HIGH")
	}
	pattern := regexp.MustCompile(args[0])
	low, err := strconv.ParseFloat(args[1], 64)
	ts.Check(err)
	high, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	var run unpark.Run
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &run))
	if len(run.Findings) == 0 {
		ts.Fatalf("no finding")
	}
	for _, f := range run.Findings[0].Facts {
		if !pattern.MatchString(f.Text) {
			continue
		}
		if v, ok := f.Value.Get(); !ok || v < low || v > high {
			ts.Fatalf("%s: %v, want %v to %v", f.Text, f.Value, low, high)
		}
		return
	}
	ts.Fatalf("no fact matches %q", args[0])
}

// limit checks the limit of the run document on the last standard output, and
// that it has no finding of the classes that follow: limit KIND [CLASS…]. A run
// that is void says nothing else (what may be void, exits says), and where
// others fill the machine, and the document says so, abstaining or naming the
// machine is right as well.
func limit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: limit KIND [CLASS…]")
	}
	var run unpark.Run
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &run))
	got := run.Limit.Kind
	crowded := slices.ContainsFunc(run.Warnings, func(n unpark.Notice) bool { return n.Code == "busy-host" })
	hedged := run.IsVoid() || crowded && (got == unpark.LimitUnknown || got == unpark.LimitCPU)
	if got != unpark.LimitKind(args[0]) && !hedged {
		ts.Fatalf("limit %s (%s), want %s; busy host: %v", got, run.Limit.Why, args[0], crowded)
	}
	for _, f := range run.Findings {
		if slices.Contains(args[1:], string(f.Class)) && (!crowded || f.Confidence == unpark.High) {
			ts.Fatalf("finding %s (%s)", f.Title, f.Confidence)
		}
	}
}

// halved writes a real heap profile and half of it: halved WHOLE HALF.
func halved(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: halved WHOLE HALF")
	}
	var b bytes.Buffer
	ts.Check(pprof.Lookup("heap").WriteTo(&b, 0))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes()[:b.Len()/2], 0o600))
}

// idle checks that nobody holds the sampling rates of a process with a probe:
// idle ADDRESS.
func idle(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: idle ADDRESS")
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		resp, err := http.Get("http://" + args[0] + "/debug/unpark/info")
		ts.Check(err)
		var info struct {
			Leased bool    `json:"leased"`
			Mutex  float64 `json:"mutex_fraction"`
		}
		err = json.NewDecoder(resp.Body).Decode(&info)
		resp.Body.Close()
		ts.Check(err)
		if !info.Leased && info.Mutex == 0 {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("the rates are still set: %+v", info)
		}
	}
}

// port sets a variable to a port at which nothing listens.
func port(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: port VARIABLE")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	_, number, err := net.SplitHostPort(l.Addr().String())
	ts.Check(err)
	ts.Check(l.Close())
	ts.Setenv(args[0], number)
}
