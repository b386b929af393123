//go:build linux && (amd64 || arm64)

package perf

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestOneProcess: samples are of the process that is asked for, and not of another one that computes on the same processors,
// and as many as its CPU; the same by its threads.
func TestOneProcess(t *testing.T) {
	burn := func() *exec.Cmd {
		c := exec.Command("sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = c.Process.Kill(), c.Wait() })
		return c
	}
	one, other := burn(), burn()
	for _, whole := range []bool{true, false} {
		samples(t, one, other, whole)
	}
}

func samples(t *testing.T, one, other *exec.Cmd, whole bool) {
	s, err := start(one.Process.Pid, 100, whole)
	if err != nil {
		t.Skip(err)
	}
	before := used(t, one)
	time.Sleep(time.Second)
	cpu := used(t, one) - before
	all := s.Stop()
	sampled := time.Duration(len(all.All)) * all.Interval
	// A machine with neighbours leaves out ticks, and makes them later.
	if sampled < cpu/2 || sampled > cpu*3/2+100*time.Millisecond {
		t.Errorf("by processors %v: %d samples of %v each, of %v of CPU", whole, len(all.All), all.Interval, cpu)
	}
	var weighed time.Duration
	for _, sample := range all.All {
		weighed += sample.Time
		if sample.Thread != one.Process.Pid {
			t.Fatalf("a sample is of thread %d, not of %d; the other one is %d", sample.Thread, one.Process.Pid, other.Process.Pid)
		}
	}
	if off := (weighed - cpu).Abs(); whole && off > cpu/20+20*time.Millisecond {
		t.Errorf("%d samples stand for %v of %v of CPU", len(all.All), weighed, cpu)
	}
	if all.Threads != 1 {
		t.Errorf("%d threads", all.Threads)
	}
}

// used is the CPU of a process (its clock: clock_getcpuclockid(3)).
func used(t *testing.T, c *exec.Cmd) time.Duration {
	t.Helper()
	var now unix.Timespec
	if err := unix.ClockGettime(int32(^c.Process.Pid<<3|2), &now); err != nil {
		t.Fatal(os.NewSyscallError("clock_gettime", err))
	}
	return time.Duration(now.Nano())
}
