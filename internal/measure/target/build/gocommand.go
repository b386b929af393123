package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// goCommand runs the go command in one folder for one package.
type goCommand struct {
	dir, pattern string
	tags         string
	env          []string
}

// tagged returns the flag for build tags. On the command line it replaces the one of
// GOFLAGS, so there is none without tags.
func (g goCommand) tagged() []string {
	if g.tags == "" {
		return nil
	}
	return []string{"-tags", g.tags}
}

// goCommand returns the go command for the package. A folder may be in another
// module, which only a go command that runs there can build.
func (b Spec) goCommand() goCommand {
	if folder := inDir(b.Dir, b.Package); isFolder(folder) {
		return goCommand{dir: folder, pattern: ".", tags: b.Tags, env: b.Env}
	}
	return goCommand{dir: b.Dir, pattern: b.Package, tags: b.Tags, env: b.Env}
}

// run returns what the command printed, both streams.
func (g goCommand) run(ctx context.Context, args ...string) (string, error) {
	cmd := g.command(ctx, args...)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func (g goCommand) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.dir
	cmd.Env = append(cmd.Environ(), g.env...)
	// Interrupted, the go command removes its work folder; killed, it does not.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// listed is what is used of `go list -json`.
type listed struct {
	Dir, ImportPath, Name string
	Deps                  []string
	Module                *struct {
		Dir     string
		Main    bool
		Replace *struct{ Dir string }
	}
}

// list finds the package and checks that the probe can be added to it.
func (g goCommand) list(ctx context.Context) (listed, error) {
	args := append(append([]string{"list"}, g.tagged()...), "-json=Dir,ImportPath,Name,Module,Deps", "--", g.pattern)
	cmd := g.command(ctx, args...)
	var out, diagnostics strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return listed{}, ctx.Err()
		}
		text := firstLines(diagnostics.String(), 10)
		cure := "check the name: a folder such as ./cmd/server, or an import path of this module"
		if strings.Contains(text, "go.mod file not found") || strings.Contains(text, "cannot find main module") {
			cure = "it is in no module: run `go mod init` in its folder"
		}
		return listed{}, fmt.Errorf("go list finds no such package (%w): %s:\n%s", err, cure, text)
	}
	var ps []listed
	for d := json.NewDecoder(strings.NewReader(out.String())); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			return listed{}, fmt.Errorf("read what go list printed: %w", err)
		}
		ps = append(ps, p)
	}
	if len(ps) != 1 {
		return listed{}, fmt.Errorf("it names %d packages: name one", len(ps))
	}
	return ps[0], g.check(ctx, ps[0])
}

func (g goCommand) check(ctx context.Context, p listed) error {
	switch {
	case p.ImportPath == "command-line-arguments" || strings.HasPrefix(p.ImportPath, "_/"):
		return errors.New("it has no import path, being a file or in no module: name its folder, and run `go mod init` there if it has no go.mod")
	case p.Module == nil:
		return errors.New("it is in no module: run `go mod init` in its folder")
	case p.Name != "main":
		return fmt.Errorf("it is package %s, not a program: name a package main%s", p.Name, g.programs(ctx, p.Module.Dir))
	case !p.Module.Main && (p.Module.Replace == nil || p.Module.Replace.Dir == ""):
		return errors.New("it belongs to a dependency, which the go command does not let an overlay change: check out its module and name the folder there")
	}
	return nil
}

// programs lists some programs of the module, for a message.
func (g goCommand) programs(ctx context.Context, root string) string {
	g.dir = root
	const template = `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`
	out, err := g.command(ctx, "list", "-f", template, "./...").Output()
	names := strings.Fields(string(out))
	if err != nil || len(names) == 0 {
		return ""
	}
	return " (such as " + strings.Join(names[:min(5, len(names))], ", ") + ")"
}

// inDir is where a relative name leads from a folder; empty: this process's.
func inDir(dir, name string) string {
	if dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func firstLines(text string, n int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	if len(all) > n {
		all = append(all[:n], fmt.Sprintf("(and %d lines more)", len(all)-n))
	}
	return strings.Join(all, "\n")
}
