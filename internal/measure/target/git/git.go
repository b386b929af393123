// Package git reads a repository by the git command, and makes worktrees of it, without running hooks. It keeps no state.
package git

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Run runs one git command, without hooks: they would run the user's commands,
// which may act on what they find. It returns what was printed.
func Run(ctx context.Context, dir string, args ...string) (string, error) {
	return run(ctx, dir, nil, args...)
}

// run is Run with what is added to the environment.
func run(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)...)
	cmd.Dir = dir
	// In a hook git sets these, and they point elsewhere.
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"}, name)
	})
	cmd.Env = append(append(cmd.Env, "LC_ALL=C"), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	var out, diagnostics strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if text := said(diagnostics.String()); text != "" {
			return "", fmt.Errorf("git %s: %s", args[0], text)
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimRight(out.String(), "\n"), nil
}

// said is the first lines of what git complained of.
func said(text string) string {
	lines := strings.SplitN(strings.TrimSpace(text), "\n", 4)
	return strings.Join(lines[:min(3, len(lines))], "\n")
}
