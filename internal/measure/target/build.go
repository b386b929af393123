package target

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/unpark-go/unpark/probe/agent"
)

// BuildSpec says which program to build with the probe added.
type BuildSpec struct {
	Package string   // of package main: a folder, or an import path
	Dir     string   // where Package is looked up; empty: this process's folder
	Output  string   // the binary to write; beside it is room for what is added to the sources
	Tags    string   // build tags, separated by commas; they replace those of GOFLAGS
	Env     []string // "NAME=value", added to this process's environment
	// Replace holds sources that the compiler is to see in place of those on disk, or
	// beside them, by absolute file name (Source).
	Replace map[string][]byte
}

// Build compiles a package with unpark's probe added to it, by `go build
// -overlay`: the compiler sees two more places, neither is on disk, and no
// source, go.mod or vendor folder changes. The probe is compiled as a package
// of the program's own module, so it needs no new requirement either.
func Build(ctx context.Context, b BuildSpec) error { return build(ctx, b, agent.Files()) }

// Binary is the name for a program that is built as name: Windows starts only
// what ends in .exe.
func Binary(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

const (
	agentFolder = "internal/unparkagent"
	importer    = "zz_unpark_probe.go"
)

// build is Build with the agent's sources by file name.
func build(ctx context.Context, b BuildSpec, files map[string]string) error {
	if b.Package == "" || b.Output == "" {
		return errors.New("build the target: no package or no output: name the package with --pkg")
	}
	out, err := filepath.Abs(b.Output)
	if err != nil {
		return fmt.Errorf("build %s: %w", b.Package, err)
	}
	if _, err := exec.LookPath("go"); err != nil {
		return fmt.Errorf("build %s: the go command is not on PATH: install Go, or give a built program after --", b.Package)
	}
	g := b.goCommand()
	p, err := g.list(ctx)
	if err != nil {
		return fmt.Errorf("build %s: %w", b.Package, err)
	}
	work, err := os.MkdirTemp(filepath.Dir(out), "overlay-")
	if err != nil {
		return fmt.Errorf("build %s: %w: name a place with space (--build-dir)", b.Package, err)
	}
	defer os.RemoveAll(work)
	own, err := g.ownOverlay(ctx)
	if err != nil {
		return fmt.Errorf("build %s: %w", b.Package, err)
	}
	overlay, err := overlayOf(work, p, files, additions{b.Replace, own})
	if err != nil {
		return fmt.Errorf("build %s: %w", b.Package, err)
	}
	with := g.tagged()
	if overlay != "" {
		with = append(with, "-overlay", overlay)
	}
	// No version control stamp: it can fail (a checkout of another user), and
	// nothing here reads it.
	args := append(append([]string{"build", "-buildvcs=false"}, with...), "-o", out, "--", g.pattern)
	text, err := g.run(ctx, args...)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("build %s: %w", b.Package, ctx.Err())
	}
	cure := fmt.Sprintf("make `go build %s` work by itself first", b.Package)
	if len(b.Replace) > 0 {
		cure = "it compiles without the sources that were replaced for it"
	}
	if strings.Contains(text, "unparkagent") || strings.Contains(text, importer) {
		cure = "the probe does not compile in this module: start the service without --pkg and name its net/http/pprof endpoint with --pprof"
	}
	return fmt.Errorf("build %s: it does not compile (%w): %s:\n%s", b.Package, err, cure, firstLines(text, 30))
}

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
func (b BuildSpec) goCommand() goCommand {
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

// ownProbe is the package that a service with the probe of its own depends on.
const ownProbe = "github.com/unpark-go/unpark/probe/agent"

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
