package build

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// role is the variable that turns the test binary into an unpark that builds below the
// folder in it.
const role = "UNPARK_BUILD_TEST"

func TestMain(m *testing.M) {
	if base := os.Getenv(role); base != "" {
		foldersItself(base)
		return
	}
	os.Exit(m.Run())
}

// foldersItself makes what a build needs, says where, and then is ended by the test.
func foldersItself(base string) {
	f, err := MakeFolder(base)
	if err == nil {
		err = os.WriteFile(filepath.Join(f.Path, "target"), []byte("x"), 0o700)
	}
	var w *Worktree
	if err == nil {
		w, err = CheckOut(context.Background(), os.Getenv("REPOSITORY"), "v1")
	}
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("folder", f.Path)
	fmt.Println("folder", w.temporary)
	fmt.Println("end")
	time.Sleep(2 * time.Minute) // whatever the test does, it ends
}

// The end of the terminal, and a second Ctrl-C, leave no build and no worktree.
func TestFoldersOfUnparkThatIsEnded(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell")
	}
	repo := repository(t)
	for _, end := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGKILL} {
		if signal.Ignored(end) {
			continue // under nohup, and so it is in what the test starts
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), role+"="+t.TempDir(), "REPOSITORY="+repo)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var folders []string
		for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "end"; {
			folders = append(folders, strings.TrimPrefix(lines.Text(), "folder "))
		}
		if err := cmd.Process.Signal(end); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if len(folders) != 2 {
			t.Fatalf("got %v", folders)
		}
		for _, dir := range folders {
			eventually(t, dir+" was removed", func() bool { _, err := os.Stat(dir); return os.IsNotExist(err) })
		}
		eventually(t, "git has forgotten the worktree", func() bool {
			return strings.Count(runGit(t, repo, "worktree", "list", "--porcelain"), "worktree ") == 1
		})
	}
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
