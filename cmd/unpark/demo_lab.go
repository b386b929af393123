package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/unpark-go/unpark/internal/measure/target/build"
)

// source is where the labs are had from.
const source = "https://github.com/unpark-go/unpark"

// demoLab shows a lab of the source tree, or lists them when lab is empty. Labs
// are a module of their own with databases and the like, so they are built where
// they are shown and are not in unpark's binary.
func demoLab(ctx context.Context, s streams, lab string, o *outputFlags, duration time.Duration) error {
	root, err := sourceTree(ctx, lab)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find unpark's own binary: %w", err)
	}
	dir, err := build.MakeFolder("")
	if err != nil {
		return err
	}
	defer func() { _ = dir.Remove() }() // the demo was shown; what stays does no harm
	// Not `go run`, which ends with 1 whatever the status was.
	program := filepath.Join(dir.Path, "demo")
	compile := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", program, "./labs/score/demo")
	compile.Dir, compile.Stderr = root, s.err
	if err := compile.Run(); err != nil {
		return fmt.Errorf("build the demo in %s: %w", root, err)
	}
	args := []string{"-list"}
	if lab != "" {
		args = []string{"-unpark", self, "-out", o.dir(), "-duration", duration.String(), lab}
		if o.quiet {
			args = append([]string{"-quiet"}, args...)
		}
	}
	show := exec.CommandContext(ctx, program, args...)
	show.Stdout, show.Stderr = s.out, s.err
	// It stops its services by itself.
	show.Cancel = func() error { return show.Process.Signal(syscall.SIGTERM) }
	show.WaitDelay = 20 * time.Second
	var exit *exec.ExitError
	if err := show.Run(); errors.As(err, &exit) {
		return status{code: exit.ExitCode()}
	} else if err != nil {
		return fmt.Errorf("show the lab: %w", err)
	}
	return nil
}

// sourceTree returns the root of the clone of unpark that the working directory
// is in.
func sourceTree(ctx context.Context, lab string) (string, error) {
	cure := fmt.Sprintf("git clone %s && cd unpark && go run ./cmd/unpark demo %s", source, lab)
	if lab == "" {
		cure = fmt.Sprintf("git clone %s && cd unpark && go run ./cmd/unpark demo --list", source)
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", fmt.Errorf("a lab is built from source, and there is no Go toolchain here (%w): install it, then\n  %s\n`unpark demo` without a lab needs neither", err, cure)
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		return "", fmt.Errorf("ask go for the workspace: %w", err)
	}
	root := filepath.Dir(strings.TrimSpace(string(out)))
	if _, err := os.Stat(filepath.Join(root, "labs", "score", "demo")); err != nil || root == "." {
		return "", fmt.Errorf("the labs are not here: they are in the source tree, and this is no clone of it:\n  %s\n`unpark demo` without a lab needs nothing", cure)
	}
	return root, nil
}
