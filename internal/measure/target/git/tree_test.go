package git_test

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

// TestReadTree: the hash of the working tree is that which a commit of it will have, what is ignored or left out is not
// of it, and the repository stays as it was.
func TestReadTree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	ctx, dir := t.Context(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	do := func(args ...string) string {
		t.Helper()
		out, err := git.Run(ctx, dir, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	do("init", "-q")
	write("sub/a.go", "package a\n")
	write(".gitignore", "ignored\n")
	if fresh := read(ctx, t, dir, "", ""); fresh.Hash == "" {
		t.Error("a repository without a commit has no hash")
	}
	do("add", "-A")
	do("commit", "-q", "-m", "first")
	write("sub/a.go", "package a // changed\n")
	write("sub/new.go", "package a\n")
	write("ignored", "x")
	write("runs/1", "x")
	write("sub/runs/1", "x")
	write("sub/out/1", "x")
	status := do("status", "--porcelain")
	objects := do("count-objects")
	copied := filepath.Join(t.TempDir(), "copy")
	tree := read(ctx, t, filepath.Join(dir, "sub"), "", copied, "runs", "sub/out")
	if is := do("status", "--porcelain"); is != status || do("count-objects") != objects {
		t.Errorf("the repository was %q, and is %q", status, is)
	}
	if tree.Prefix != "sub"+string(filepath.Separator) {
		t.Errorf("the prefix is %q", tree.Prefix)
	}
	for name, want := range map[string]bool{"sub/a.go": true, "sub/new.go": true, "ignored": false, "runs/1": false, "sub/runs/1": false, "sub/out/1": false} {
		if _, err := os.Stat(filepath.Join(copied, filepath.FromSlash(name))); (err == nil) != want {
			t.Errorf("%s in the copy: %v, want %v", name, err == nil, want)
		}
	}
	old := filepath.Join(t.TempDir(), "old")
	if first := read(ctx, t, dir, "HEAD", old); first.Hash != do("rev-parse", "HEAD^{tree}") || first.Hash == tree.Hash {
		t.Errorf("the commit's tree has the hash %s", first.Hash)
	}
	if text, err := os.ReadFile(filepath.Join(old, "sub", "a.go")); err != nil || string(text) != "package a\n" {
		t.Errorf("the commit's file is %q, %v", text, err)
	}
	do("add", "-A", "--", ".", ":(exclude)runs", ":(exclude)sub/runs", ":(exclude)sub/out")
	do("commit", "-q", "-m", "second")
	if want := do("rev-parse", "HEAD^{tree}"); tree.Hash != want {
		t.Errorf("the working tree had the hash %s, its commit %s", tree.Hash, want)
	}
	if _, err := git.ReadTree(ctx, dir, "v9", ""); err == nil || strings.Count(err.Error(), `"v9"`) != 1 || !errors.Is(err, git.ErrNoCommit) {
		t.Error("a revision that does not exist was read")
	}
}

func read(ctx context.Context, t *testing.T, dir, revision, into string, left ...string) git.Tree {
	t.Helper()
	tree, err := git.ReadTree(ctx, dir, revision, into, left...)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
