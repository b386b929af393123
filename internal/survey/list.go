package survey

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is a module of the workspace.
type module struct {
	Path, Dir string
	Main      bool
}

// listed is what is used of `go list -find -json`.
type listed struct {
	ImportPath, Name, Dir string
	GoFiles, CgoFiles     []string
	Error                 *struct{ Err string }
}

// list finds the modules of the workspace that dir lies in, and their packages.
func list(ctx context.Context, dir string) ([]module, map[string]listed, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, nil, errors.New("the go command is not on PATH: install Go")
	}
	modules, err := decode[module](ctx, dir, "list", "-m", "-json=Path,Dir,Main")
	if err != nil {
		return nil, nil, fmt.Errorf("list the modules: %w", err)
	}
	packages := map[string]listed{}
	for _, m := range modules {
		if m.Dir == "" || m.Path == "command-line-arguments" {
			return nil, nil, errors.New("it is in no module: run `go mod init` in the folder of the service, or go to one that has a go.mod")
		}
		all, err := decode[listed](ctx, m.Dir, "list", "-find", "-e", "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,Error", "./...")
		if err != nil {
			return nil, nil, fmt.Errorf("list the packages of %s: %w", m.Path, err)
		}
		for _, p := range all {
			packages[p.ImportPath] = p
		}
	}
	return modules, packages, nil
}

// decode runs the go command and decodes the documents that it prints.
func decode[T any](ctx context.Context, dir string, args ...string) ([]T, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local")
	var out, diagnostics strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text := strings.TrimSpace(diagnostics.String())
		if strings.Contains(text, "go.mod file not found") || strings.Contains(text, "cannot find main module") || strings.Contains(text, "not match a main module") {
			return nil, errors.New("it is in no module: run `go mod init` in the folder of the service, or go to one that has a go.mod")
		}
		return nil, fmt.Errorf("go %s: %w: %s", strings.Join(args[:2], " "), err, text)
	}
	var all []T
	for d := json.NewDecoder(strings.NewReader(out.String())); d.More(); {
		var one T
		if err := d.Decode(&one); err != nil {
			return nil, fmt.Errorf("read what go %s printed: %w", args[0], err)
		}
		all = append(all, one)
	}
	return all, nil
}

// revision names the branch that changes are measured against: what the remote calls
// its head, else main or master; empty when there is none, or no git.
func revision(ctx context.Context, dir string) string {
	git := func(args ...string) string {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	if head := git("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"); head != "" {
		return head
	}
	for _, name := range []string{"main", "master"} {
		if git("rev-parse", "--verify", "--quiet", name+"^{commit}") != "" {
			return name
		}
	}
	return ""
}

// relative returns a folder as the go command takes it: ./cmd/server.
func relative(from, to string) (string, bool) {
	rel, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	if rel == "." {
		return ".", true
	}
	return "./" + filepath.ToSlash(rel), true
}
