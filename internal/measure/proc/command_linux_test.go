package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain can be a program that starts a command and then hangs.
func TestMain(m *testing.M) {
	line := os.Getenv("UNPARK_PROC_TEST")
	if line == "" {
		os.Exit(m.Run())
	}
	time.AfterFunc(2*time.Minute, func() { os.Exit(70) }) // whatever a test does, it ends
	s := shell(line)
	s.Folder = os.Getenv("UNPARK_PROC_FOLDER")
	if _, err := Start(s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	select {}
}

// shell is a command with a mark of its own.
func shell(line string) Spec {
	cmd := exec.Command("sh", "-c", line)
	mark := fmt.Sprintf("UNPARK_PROC_MARK=%d-%d", os.Getpid(), time.Now().UnixNano())
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "UNPARK_PROC_TEST=") }), mark)
	out := NewOutput(Tail, keep, nil)
	return Spec{Cmd: cmd, Stdout: out, Stderr: out, Mark: mark}
}

func launch(t *testing.T, s Spec) *Command {
	t.Helper()
	c, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.End(3 * time.Second); err != nil {
			t.Error(err)
		}
		c.Close()
	})
	return c
}

// said waits for a file, with which a command says that it got somewhere.
func said(t *testing.T, file string) string {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if b, err := os.ReadFile(file); err == nil && len(b) > 0 {
			return strings.TrimSpace(string(b))
		}
	}
	t.Fatalf("%s was never written", file)
	return ""
}

func lives(pid int) bool {
	p, err := Read(pid)
	return err == nil && !p.Dead()
}

// Nothing is left: not what ignores signals, not what left the session, not what
// lost its parent.
func TestEnd(t *testing.T) {
	for name, line := range map[string]string{
		"heeds":   `echo $$ >FILE; while :; do sleep 0.05; done`,
		"ignores": `trap '' INT TERM; echo $$ >FILE; while :; do sleep 0.05; done`,
		"session": `setsid sh -c 'trap "" INT; echo $$ >FILE; while :; do sleep 0.05; done' & wait`,
		"orphan":  `(setsid sh -c 'trap "" INT TERM; echo $$ >FILE; while :; do sleep 0.05; done' &) ; exit 0`,
		"stopped": `echo $$ >FILE; kill -STOP $$; sleep 1000`,
	} {
		for polite, signals := range map[string][]syscall.Signal{
			"TERM": {syscall.SIGTERM}, "INT, TERM": {syscall.SIGINT, syscall.SIGTERM}, "none": nil,
		} {
			t.Run(name+" "+polite, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "pid")
				c := launch(t, shell(strings.ReplaceAll(line, "FILE", file)))
				pid, err := strconv.Atoi(said(t, file))
				if err != nil {
					t.Fatal(err)
				}
				if ps, err := c.Processes(); err != nil || !slices.ContainsFunc(ps, func(p Process) bool { return p.PID == pid }) {
					t.Errorf("process %d is not among %v, %v", pid, ps, err)
				}
				if err := c.End(300*time.Millisecond, signals...); err != nil {
					t.Fatal(err)
				}
				if alive, _ := c.Look(); alive || lives(pid) {
					t.Errorf("process %d still runs", pid)
				}
			})
		}
	}
}

// What a trap starts to print its summary is not interrupted in turn.
func TestInterruptReachesNoChildOfTheTrap(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	c := launch(t, shell(`n=0; trap 'n=$((n+1)); sleep 0.3 && echo "interrupted $n"; exit 0' INT; echo yes >`+ready+`; while :; do sleep 0.05; done`))
	said(t, ready)
	if err := c.End(20*time.Second, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-c.Done()
	if got := c.outputs[0].Excerpt(3); got != "interrupted 1" || c.Exit() != nil {
		t.Errorf("printed %q, ended %v", got, c.Exit())
	}
}

// A process that is born after SIGTERM was sent gets it, too.
func TestSIGTERMReachesWhatIsBornLater(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	c := launch(t, shell(`trap 'sleep 1000; exit 7' TERM; echo yes >`+ready+`; while :; do sleep 0.05; done`))
	said(t, ready)
	if err := c.End(20*time.Second, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-c.Done()
	if err := c.Exit(); err == nil || err.Error() != "exit status 7" {
		t.Errorf("it ended: %v", err)
	}
}

func TestStartLeavesNothing(t *testing.T) {
	s := shell("true")
	s.Cmd = exec.Command(filepath.Join(t.TempDir(), "absent"))
	if _, err := Start(s); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is missing: %v", err)
	}
	refused := errors.New("no entry")
	s = shell("true")
	left := false
	s.Confinement.Enter = func() (func() error, error) { return func() error { left = true; return nil }, refused }
	if _, err := Start(s); err != refused || !left { //nolint:errorlint // it is returned as it is
		t.Errorf("%v, left %v", err, left)
	}
}

// The processes of an unpark that was killed are ended, and the folder goes.
func TestGuard(t *testing.T) {
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "pid"), filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "UNPARK_PROC_FOLDER="+folder,
		`UNPARK_PROC_TEST=setsid sh -c 'echo $$ >`+file+`; while :; do sleep 0.1; done' & wait`)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(said(t, file))
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	gone := func() bool { _, err := os.Stat(folder); return !lives(pid) && os.IsNotExist(err) }
	for deadline := time.Now().Add(30 * time.Second); !gone(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d still runs, or its folder is there", pid)
		}
	}
}

// The CPU of children counts while they run, and when they were waited for.
func TestLook(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	c := launch(t, shell(`timeout 0.3 sh -c 'while :; do :; done'; echo yes >`+ready+`; sleep 1000`))
	said(t, ready)
	if alive, cpu := c.Look(); !alive || cpu.Or(0) < 0.02 || cpu.Or(0) > 2 {
		t.Errorf("alive %v, %v s", alive, cpu)
	}
}

// A thread of this process that could not leave the command's cgroup makes it no member.
func TestNeverAMemberItself(t *testing.T) {
	s := shell("sleep 100")
	s.Confinement.Members = func() ([]int, error) { return []int{os.Getpid()}, nil }
	c := launch(t, s)
	ps, err := c.Processes()
	itself := func(p Process) bool { return p.PID == os.Getpid() }
	if err != nil || len(ps) == 0 || slices.ContainsFunc(ps, itself) {
		t.Errorf("got %+v, %v", ps, err)
	}
}
