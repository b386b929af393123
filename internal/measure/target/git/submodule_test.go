package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/target/git"
)

// TestCheckOutSubmodules: a submodule of a submodule is there as well; one that was not cloned is named by its path from the top,
// and a folder that is named as a submodule and is none is left as it is.
func TestCheckOutSubmodules(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git on PATH")
	}
	at := func(dir string, args ...string) string {
		t.Helper()
		out, err := git.Run(t.Context(), dir, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	root := t.TempDir()
	repository := func(name string, within ...string) string {
		dir := filepath.Join(root, name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		at(dir, "init", "--quiet")
		if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, w := range within {
			at(dir, "submodule", "--quiet", "add", w, "in/"+filepath.Base(w))
		}
		at(dir, "add", ".")
		at(dir, "commit", "--quiet", "-m", name)
		return dir
	}
	top := repository("top", repository("middle", repository("deep")))
	commit := at(top, "rev-parse", "HEAD")
	checkOut := func() (into string, missing []string) {
		t.Helper()
		into = filepath.Join(t.TempDir(), "tree")
		at(top, "worktree", "add", "--quiet", "--detach", into, commit)
		defer at(top, "worktree", "prune")
		missing, err := git.CheckOutSubmodules(t.Context(), top, commit, into)
		if err != nil {
			t.Fatal(err)
		}
		return into, missing
	}
	into, missing := checkOut()
	if _, err := os.Stat(filepath.Join(into, "in/middle/middle.txt")); err != nil {
		t.Error(err)
	}
	if len(missing) != 1 || !strings.HasPrefix(missing[0], "submodule in/middle/in/deep has no clone here: git submodule update --init --recursive") {
		t.Errorf("missing: %q", missing)
	}
	at(top, "submodule", "--quiet", "update", "--init", "--recursive")
	into, missing = checkOut()
	if text, err := os.ReadFile(filepath.Join(into, "in/middle/in/deep/deep.txt")); err != nil || string(text) != "deep" || len(missing) > 0 {
		t.Errorf("%q, %v, missing: %q", text, err, missing)
	}
	if state := at(top, "status", "--porcelain"); state != "" {
		t.Errorf("the repository was changed: %s", state)
	}
	if text, err := os.ReadFile(filepath.Join(top, ".gitmodules")); err != nil || os.WriteFile(filepath.Join(top, ".gitmodules"), append(text, "[submodule \"none\"]\n\tpath = top.txt\n[submodule \"out\"]\n\tpath = ../out\n"...), 0o600) != nil {
		t.Fatal(err)
	}
	at(top, "commit", "--quiet", "-a", "-m", "named")
	commit = at(top, "rev-parse", "HEAD")
	if _, missing = checkOut(); len(missing) > 0 {
		t.Errorf("missing: %q", missing)
	}
}
