package target

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/measure/proc"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
)

// role is the variable that turns the test binary into a target.
const role = "UNPARK_TARGET_TEST_ROLE"

func TestMain(m *testing.M) {
	act, ok := roles()[os.Getenv(role)]
	if !ok {
		os.Exit(m.Run())
	}
	// Whatever a test does, its processes end.
	time.AfterFunc(2*time.Minute, func() { os.Exit(70) })
	act()
}

func roles() map[string]func() {
	return map[string]func(){
		"serve":    serve,
		"local":    local,
		"prefork":  prefork,
		"stubborn": stubborn,
		"daemon":   func() { beget("middle", false); rest() },
		"middle":   func() { beget("idle", true); time.Sleep(50 * time.Millisecond) },
		"detach":   func() { beget("idle", true) },
		"idle":     func() { announce(); rest() },
		"exit":     func() { fmt.Println("one\ntwo"); fmt.Fprintln(os.Stderr, "three"); os.Exit(3) },
		"panic":    func() { panic("the cache is nil") },
		"burn":     burn,
		"unpark":   unparkItself,
	}
}

// announce does what the probe does: it opens this process's socket.
func announce() {
	dir, ok := strings.CutPrefix(os.Getenv("UNPARK_PROBE"), "unix:")
	if !ok {
		return
	}
	if _, err := net.Listen("unix", filepath.Join(dir, strconv.Itoa(os.Getpid())+".sock")); err != nil {
		fmt.Println("no socket:", err)
	}
}

func rest() { select {} }

func burn() {
	for n := 0; ; n++ {
		_ = n
	}
}

func serve() {
	announce()
	l, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, runtime.GOMAXPROCS(0))
	}))
}

// local serves on a unix socket in its folder, and nowhere else.
func local() {
	announce()
	l, err := net.Listen("unix", "x.sock")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = http.Serve(l, http.NotFoundHandler())
}

// prefork starts children as fiber does: the same program again.
func prefork() {
	announce()
	beget("idle", false)
	beget("idle", false)
	rest()
}

func stubborn() {
	signal.Ignore(syscall.SIGTERM)
	announce()
	rest()
}

// beget starts this program in another role, in a session of its own if alone.
func beget(as string, alone bool) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: alone}
	if err := cmd.Start(); err != nil {
		fmt.Println("cannot start a child:", err)
		os.Exit(1)
	}
	go func() { _ = cmd.Wait() }()
}

// unparkItself starts a target, says which processes it is and where its traces
// are, and then is killed by the test.
func unparkItself() {
	how := confine.Make
	if os.Getenv("CONFINE") == "none" {
		how = unconfined
	}
	t, err := start(context.Background(), as("prefork"), how)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for {
		ps, _ := t.Processes()
		if len(ps) == 3 {
			for _, p := range ps {
				fmt.Println("pid", p.PID)
			}
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("folder", t.ProbeDir())
	if t.cgroup != nil {
		fmt.Println("folder", cgroupDir(t))
	}
	fmt.Println("end")
	rest()
}

func unconfined(float64) (*confine.Group, error) { return nil, errors.New("not in this test") }

// as returns the specification of a target in a role.
func as(name string, env ...string) Spec {
	return Spec{Command: []string{os.Args[0]}, Env: append([]string{role + "=" + name}, env...)}
}

// launch starts a target that is stopped when the test ends.
func launch(t *testing.T, s Spec, how func(float64) (*confine.Group, error)) *Target {
	t.Helper()
	target, err := start(t.Context(), s, how)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := target.Stop(); err != nil {
			t.Error(err)
		}
	})
	return target
}

// eventually waits for what must come true, however slow the machine.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("not within 30 s: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// withSockets waits until n processes have opened their sockets.
func withSockets(t *testing.T, target *Target, n int) []Process {
	t.Helper()
	var ps []Process
	eventually(t, fmt.Sprintf("%d processes with sockets", n), func() bool {
		var err error
		if ps, err = target.Processes(); err != nil {
			t.Fatal(err)
		}
		open := 0
		for _, p := range ps {
			if p.Socket != "" {
				open++
			}
		}
		return open == n && len(ps) >= n
	})
	return ps
}

func running(pid int) bool {
	p, err := proc.Read(pid)
	return err == nil && !p.Dead()
}

// fields reads "key value" lines until "end".
func fields(t *testing.T, r *bufio.Scanner) map[string][]string {
	t.Helper()
	m := map[string][]string{}
	for r.Scan() {
		key, value, _ := strings.Cut(r.Text(), " ")
		if key == "end" {
			return m
		}
		m[key] = append(m[key], value)
	}
	t.Fatalf("the process ended early: %v", m)
	return nil
}
