package rusage

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// TestMain can be a program that uses a processor.
func TestMain(m *testing.M) {
	if os.Getenv("UNPARK_RUSAGE_TEST") == "" {
		os.Exit(m.Run())
	}
	for began := time.Now(); time.Since(began) < 2*time.Minute; { // whatever a test does, it ends
	}
}

func TestReadProcess(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "UNPARK_RUSAGE_TEST=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end := func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	t.Cleanup(end)
	pid := cmd.Process.Pid
	var u Process
	for deadline := time.Now().Add(30 * time.Second); u.CPU < 0.05; time.Sleep(5 * time.Millisecond) {
		var err error
		if u, err = ReadProcess(pid); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatal("it uses no CPU")
		}
	}
	p, err := proc.Read(pid)
	if err != nil {
		t.Fatal(err)
	}
	if u.CPU > p.CPU+1 {
		t.Errorf("the clock says %v s, stat %v s", u.CPU, p.CPU)
	}
	if u.Threads < 2 || u.RSS < 1<<20 || u.Voluntary+u.Involuntary == 0 || u.StartTicks != p.Start {
		t.Errorf("usage %+v", u)
	}
	if !u.Calls.Known || u.Calls.Reads == 0 {
		t.Errorf("a process that was loaded has read: %+v", u.Calls)
	}
	end()
	if _, err := ReadProcess(pid); err == nil {
		t.Error("usage of a process that has ended")
	}
}

func TestMachineAndHost(t *testing.T) {
	m, err := ReadMachine()
	if err != nil || m.CPUs < 1 || m.Busy <= 0 {
		t.Errorf("%+v, %v", m, err)
	}
	h := Host()
	if h.OS != "linux" || h.CPUs != m.CPUs || h.Kernel == "" || h.Memory < 1<<20 {
		t.Errorf("%+v", h)
	}
}
