package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

func TestSource(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git on PATH")
	}
	ctx := context.Background()
	dir := t.TempDir()
	if got := Source(ctx, dir); got != "" {
		t.Errorf("of no repository: %q", got)
	}
	file := filepath.Join(dir, "a.txt")
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(file, "one")
	for _, args := range [][]string{
		{"init", "--quiet"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "one"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	write(filepath.Join(dir, "untracked"), "x")
	clean := Source(ctx, dir)
	if !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(clean) {
		t.Errorf("clean: %q", clean)
	}
	write(file, "two")
	if got := Source(ctx, dir); got != clean+"+" {
		t.Errorf("changed: %q, want %q", got, clean+"+")
	}
	if got := Source(ctx, filepath.Join(dir, "nothing")); got != "" {
		t.Errorf("of no folder: %q", got)
	}
}
