package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/unpark-go/unpark/probe/agent"
)

// Spec says which program to build with the probe added.
type Spec struct {
	Package string   // of package main: a folder, or an import path
	Dir     string   // where Package is looked up; empty: this process's folder
	Output  string   // the binary to write; beside it is room for what is added to the sources
	Tags    string   // build tags, separated by commas; they replace those of GOFLAGS
	Env     []string // "NAME=value", added to this process's environment
	Trim    bool     // without the names of folders: equal sources make equal binaries, wherever they lie
	// Replace holds sources that the compiler is to see in place of those on disk, or
	// beside them, by absolute file name (Source).
	Replace map[string][]byte
}

// Program compiles a package with unpark's probe added to it, by `go build
// -overlay`: the compiler sees two more places, neither is on disk, and no
// source, go.mod or vendor folder changes. The probe is compiled as a package
// of the program's own module, so it needs no new requirement either.
func Program(ctx context.Context, b Spec) error { return program(ctx, b, agent.Files()) }

// Binary is the name for a program that is built as name: Windows starts only
// what ends in .exe.
func Binary(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// program is Program with the agent's sources by file name.
func program(ctx context.Context, b Spec, files map[string]string) error {
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
	if b.Trim {
		with = append(with, "-trimpath")
	}
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
