//go:build linux && (amd64 || arm64)

package attach

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// refused reads a process in a process that may not, prints why, and ends.
func refused(args string) {
	how, pid, _ := strings.Cut(args, " ")
	if call, ok := map[string]uint32{"seccomp": unix.SYS_PROCESS_VM_READV, "perf": unix.SYS_PERF_EVENT_OPEN}[how]; ok {
		if err := forbid(call); err != nil {
			fmt.Println("seccomp:", err)
			os.Exit(3)
		}
	}
	number, _ := strconv.Atoi(pid)
	a, err := start(context.Background(), Options{PIDs: []int{number}})
	if err == nil {
		err = errors.Join(told(a, "profile?seconds=1"), told(a, "goroutine"), a.Close())
	}
	fmt.Println(err)
	os.Exit(0)
}

// told prints the status of a profile, what it says where that is none, and what it is without.
func told(a *Attached, page string) error {
	resp, err := get(context.Background(), a.Addresses[0], "/debug/pprof/"+page)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if resp.StatusCode == http.StatusOK {
		p, bad := profile.Decode(bytes.NewReader(b), unpark.KindCPU, "profile")
		b = nil
		if bad == nil && p.UserOnly() {
			b = []byte("user code alone")
		}
	}
	fmt.Printf("%s: %d %s\n", page, resp.StatusCode, b)
	return err
}

// forbid makes a system call fail with EPERM for all threads of the process and its children
// (seccomp(2)): containers do so.
func forbid(call uint32) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	return nil
}

// TestRefused: what cannot be read says why.
func TestRefused(t *testing.T) {
	shell := exec.Command("sleep", "100")
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = shell.Process.Kill(); _ = shell.Wait() }()
	zombie := exec.Command("true")
	if err := zombie.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = zombie.Wait() }()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", zombie.Process.Pid)); bytes.Contains(b, []byte(") Z ")) {
			break
		}
	}
	whole := service(t).Process.Pid
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", whole))
	if err != nil || len(threads) < 2 {
		t.Fatalf("%v: %v", threads, err)
	}
	thread, _ := strconv.Atoi(threads[len(threads)-1].Name())
	for pid, want := range map[int]string{
		shell.Process.Pid: "ps -ef", zombie.Process.Pid: "zombie", 1 << 30: "--pid-of", thread: fmt.Sprintf("--pid %d", whole),
	} {
		a, err := start(t.Context(), Options{PIDs: []int{pid}})
		if err == nil {
			_ = a.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v, want %q", pid, err, want)
		}
	}
}

// TestForbidden: a process of another user, one that a container's filter keeps apart, and one of which only the CPU may not be
// sampled.
func TestForbidden(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("another user's process takes root to make")
	}
	pid := service(t).Process.Pid
	dir := t.TempDir()
	// The other user must get to the program: the folders of tests are for their owner alone.
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "reader")
	b, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, b, 0o755); err != nil {
		t.Fatal(err)
	}
	own := ofNobody(t, dir, "own")
	kept := ofNobody(t, dir, "kept")
	for how, want := range map[string][]string{
		"root":    {"profile?seconds=1: 200 \n"},
		"own":     {"goroutine: 200 \n", userAlone()},
		"kept":    {"its memory may not be read", "file capabilities", "CAP_SYS_PTRACE"},
		"user":    {"its memory may not be read", "CAP_SYS_PTRACE"},
		"seccomp": {"its memory may not be read", "seccomp"},
		"perf":    {"profile?seconds=1: 404", "its CPU may not be sampled", "CAP_PERFMON", "goroutine: 200"},
	} {
		of := cmp.Or(map[string]int{"own": own, "kept": kept}[how], pid)
		c := exec.Command(program)
		c.Dir, c.Env = "/", append(os.Environ(), role+"=refused "+how+" "+strconv.Itoa(of), "TMPDIR=/tmp", "HOME=/nonexistent", "XDG_RUNTIME_DIR=")
		if how == "user" || of != pid {
			c.SysProcAttr = nobody
		}
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", how, err, out)
		}
		for _, w := range want {
			if !strings.Contains(string(out), w) {
				t.Errorf("%s: %s, want %q", how, out, w)
			}
		}
	}
}

// nobody is another user.
var nobody = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}

// ofNobody runs the service as the other user; one that is kept has a file capability (capabilities(7), "File capability extended
// attribute versioning": version 2, effective, CAP_NET_BIND_SERVICE), as services have that listen on port 80.
func ofNobody(t *testing.T, dir, how string) int {
	t.Helper()
	b, err := os.ReadFile(built(t, "-s -w"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, how)
	if err := os.WriteFile(program, b, 0o755); err != nil {
		t.Fatal(err)
	}
	if how == "kept" {
		bind := []byte{1, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
		if err := unix.Setxattr(program, "security.capability", bind, 0); err != nil {
			t.Skip(err)
		}
	}
	c := exec.Command(program)
	c.Dir, c.SysProcAttr = "/", nobody
	return running(t, c).Process.Pid
}

// userAlone is what is said of the CPU of a process of one's own, by the level of perf_event_paranoid
// (Documentation/admin-guide/sysctl/kernel.rst).
func userAlone() string {
	level, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	switch n, err := strconv.Atoi(strings.TrimSpace(string(level))); {
	case err != nil || n > 2: // distributions have levels of their own
		return ""
	case n == 2:
		return "profile?seconds=1: 200 user code alone"
	}
	return "profile?seconds=1: 200 \n"
}

// TestOtherNamespaces: a process in namespaces of its own, as of a container, is read by the number that it has outside.
func TestOtherNamespaces(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("it takes root to make namespaces")
	}
	c := exec.Command(built(t, "-s -w"))
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC}
	pid := running(t, c).Process.Pid
	if own, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); !bytes.Contains(own, fmt.Appendf(nil, "\nNSpid:\t%d\t1\n", pid)) {
		t.Fatalf("it is not the first of its namespace: %s", own)
	}
	a, err := start(t.Context(), Options{PIDs: []int{pid}})
	if err != nil {
		t.Fatal(err)
	}
	if status, body := read(t, a, "/debug/pprof/goroutine?debug=2"); status != http.StatusOK || !strings.Contains(body, "main.main.func1") {
		t.Errorf("goroutines: %d %s", status, body)
	}
	if status, body := read(t, a, "/debug/pprof/profile?seconds=1"); status != http.StatusOK && !strings.Contains(body, "may not be sampled") {
		t.Errorf("CPU: %d %s", status, body)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// TestThirtyTwoBits: a program for 386 runs on amd64, and its memory is laid out in another way.
func TestThirtyTwoBits(t *testing.T) {
	c := exec.Command(built(t, "", "GOARCH=386", "CGO_ENABLED=0"))
	if err := c.Start(); err != nil {
		t.Skipf("this kernel does not run it: %v", err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	a, err := start(t.Context(), Options{PIDs: []int{c.Process.Pid}})
	if err == nil {
		_ = a.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "32-bit") || !strings.Contains(err.Error(), "--pprof") {
		t.Errorf("%v", err)
	}
}

// TestEndsWhileRead: a process that ends while it is attached is gone, and nothing hangs.
func TestEndsWhileRead(t *testing.T) {
	c := service(t)
	a, err := start(t.Context(), Options{PIDs: []int{c.Process.Pid}})
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Process.Kill()
	_, _ = c.Process.Wait()
	res, err := get(t.Context(), a.Addresses[0], "/debug/pprof/block")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, _ := io.ReadAll(res.Body); res.StatusCode == 200 || !strings.Contains(string(b), "ended") {
		t.Errorf("%s: %s", res.Status, b)
	}
	if err := a.Close(); err != nil && !strings.Contains(err.Error(), "ended") {
		t.Errorf("%v", err)
	}
}
