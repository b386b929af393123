package build

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/target/git"
)

// repository makes a git repository with two commits of cmd/server/version, the
// first of them tagged v1, and a change that is not committed.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git command")
	}
	dir := t.TempDir()
	for _, c := range [][]string{{"init", "-q"}, {"config", "user.name", "a"}, {"config", "user.email", "a@example.com"}} {
		runGit(t, dir, c...)
	}
	for _, version := range []string{"one", "two"} {
		writeVersion(t, dir, version)
		runGit(t, dir, "add", ".")
		runGit(t, dir, "commit", "-q", "-m", version)
		if version == "one" {
			runGit(t, dir, "tag", "v1")
			if err := os.Mkdir(filepath.Join(dir, "later"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "later", "x"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	writeVersion(t, dir, "three")
	return dir
}

func writeVersion(t *testing.T, dir, version string) {
	t.Helper()
	name := filepath.Join(dir, "cmd", "server", "version")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(version), 0o600); err != nil {
		t.Fatal(err)
	}
}

func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := git.Run(t.Context(), dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCheckOut(t *testing.T) {
	dir := repository(t)
	t.Setenv("GIT_DIR", "/nowhere") // as in a hook of another repository
	t.Setenv("TMPDIR", t.TempDir())
	hook := filepath.Join(dir, ".git", "hooks", "post-checkout")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\ntouch "+filepath.Join(dir, "hooked")+"\n"), 0o700); err != nil { //nolint:gosec // a hook must be executable
		t.Fatal(err)
	}
	state := runGit(t, dir, "status", "--porcelain") + runGit(t, dir, "rev-parse", "HEAD")
	for revision, want := range map[string]string{"v1": "one", "HEAD": "two", "HEAD~1": "one", runGit(t, dir, "rev-parse", "--short", "HEAD"): "two"} {
		w, err := CheckOut(t.Context(), filepath.Join(dir, "cmd"), revision)
		if err != nil {
			t.Fatalf("%s: %v", revision, err)
		}
		got, err := os.ReadFile(filepath.Join(w.Dir, "server", "version"))
		if err != nil || string(got) != want {
			t.Errorf("%s has %q, %v, want %q", revision, got, err, want)
		}
		if len(w.Commit) != 40 {
			t.Errorf("%s: commit %q", revision, w.Commit)
		}
		if err := errors.Join(w.Remove(), w.Remove()); err != nil {
			t.Error(err)
		}
	}
	if got := runGit(t, dir, "status", "--porcelain") + runGit(t, dir, "rev-parse", "HEAD"); got != state {
		t.Errorf("the user's tree changed from %q to %q", state, got)
	}
	if got := runGit(t, dir, "worktree", "list"); strings.Count(got, "\n") != 0 {
		t.Errorf("records stayed: %s", got)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestCheckOutErrors(t *testing.T) {
	dir := repository(t)
	shallow := filepath.Join(t.TempDir(), "clone")
	runGit(t, dir, "clone", "-q", "--depth", "1", "file://"+dir, shallow)
	for name, c := range map[string]struct{ dir, revision, want string }{
		"no such revision":     {dir, "nope", "git log --all --oneline"},
		"an option":            {dir, "--all", "no such commit"},
		"not a commit":         {dir, "HEAD:cmd", "no such commit"},
		"no repository":        {t.TempDir(), "HEAD", "in no git tree"},
		"a folder it has not":  {filepath.Join(dir, "later"), "v1", "later/ does not exist in it"},
		"no folder at all":     {filepath.Join(dir, "missing"), "HEAD", "missing"},
		"nothing":              {dir, "", "no such commit"},
		"a range of revisions": {dir, "v1..HEAD", "no such commit"},
		"a shallow clone":      {shallow, "v1", "git fetch --unshallow"},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := CheckOut(t.Context(), c.dir, c.revision)
			if err == nil {
				t.Fatalf("it was checked out in %s: %v", w.Dir, w.Remove())
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q does not say %q", err, c.want)
			}
		})
	}
	if got := runGit(t, dir, "worktree", "list"); strings.Count(got, "\n") != 0 {
		t.Errorf("records stayed: %s", got)
	}
}

func TestCheckOutIsInterrupted(t *testing.T) {
	dir := repository(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := CheckOut(ctx, dir, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
