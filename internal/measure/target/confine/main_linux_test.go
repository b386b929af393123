package confine

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// role is the variable that turns the test binary into one whose main thread is inside
// of a cgroup while another is made.
const role = "UNPARK_CONFINE_TEST"

// Only init can keep the main goroutine on the main thread.
func init() {
	if os.Getenv(role) != "" {
		runtime.LockOSThread()
	}
}

func TestMain(m *testing.M) {
	if os.Getenv(role) == "" {
		os.Exit(m.Run())
	}
	if err := makeTwo(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// makeTwo makes a cgroup in version 1 from another thread while the main thread is in one.
func makeTwo() error {
	outer, err := MakeIn("pids", 0)
	if err != nil {
		fmt.Println("skip:", err)
		return nil
	}
	defer outer.Remove()
	leave, err := outer.enter(nil)
	defer leave()
	if err != nil {
		return err
	}
	made := make(chan error)
	go func() {
		inner, err := MakeIn("pids", 0)
		if err != nil {
			made <- err
			return
		}
		defer inner.Remove()
		if strings.HasPrefix(inner.dir, outer.dir) {
			err = fmt.Errorf("it is inside: %s of %s", inner.dir, outer.dir)
		}
		made <- err
	}()
	return <-made
}

// Two commands that start at the same time do not share a cgroup, whichever threads make
// them: what ends the first would end the second, and the process that starts them.
func TestCgroupBesideOneThatTheMainThreadIsIn(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if why, skipped := strings.CutPrefix(string(out), "skip:"); skipped {
		t.Skip("no cgroup of version 1 can be made here:", why)
	}
}
