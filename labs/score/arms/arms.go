// Package arms runs the arms of labs under `unpark run`, with the binary that is
// built from this tree: as a user would, in processes of their own.
//
//	Build     unpark and the labs, once
//	Start     what an arm needs beside it: slow clients, a server that it asks
//	Rate      a rate that follows from what the service measures of itself
//	Run       unpark, with the flags of the arm, into a run directory
package arms

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/unpark-go/unpark/labs/expect"
)

// Settings are the lengths of a run; a window is whole seconds.
type Settings struct {
	Window, Warmup, Trace time.Duration
	// Baseline is the unprofiled stretch on each side of the window.
	Baseline time.Duration
	// Most is how long one run may take in all.
	Most time.Duration
}

// Open returns what is in bin already.
func Open(root, bin string) *Bench { return &Bench{root: root, bin: bin} }

// Bench is a folder with what Build made.
type Bench struct {
	root string // of the source tree
	bin  string
}

// Root returns the root of the source tree that the working directory is in.
func Root(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		return "", fmt.Errorf("ask go for the workspace: %w: install the Go toolchain", err)
	}
	work := strings.TrimSpace(string(out))
	if filepath.Base(work) != "go.work" {
		return "", errors.New("find the source tree: no go.work here: run this inside a clone of unpark")
	}
	return filepath.Dir(work), nil
}

// Labs reads the labs of a tree, in the order of their names.
func Labs(root string) ([]expect.Lab, error) {
	files, err := filepath.Glob(filepath.Join(root, "labs", "*", "expect.yaml"))
	if err != nil {
		return nil, err
	}
	labs := make([]expect.Lab, len(files))
	for i, file := range files {
		if labs[i], err = expect.Read(file); err != nil {
			return nil, err
		}
	}
	if len(labs) == 0 {
		return nil, fmt.Errorf("find the labs: %s has none", filepath.Join(root, "labs"))
	}
	return labs, nil
}

// Build compiles the labs into bin, and unpark too unless one is named. What
// the compiler says goes to log.
func Build(ctx context.Context, root, bin, unpark string, labs []expect.Lab, log io.Writer) (*Bench, error) {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return nil, fmt.Errorf("make a folder for binaries: %w", err)
	}
	args := []string{"build", "-buildvcs=false", "-o", bin + string(filepath.Separator)}
	if unpark == "" {
		args = append(args, "./cmd/unpark")
	}
	for _, lab := range labs {
		args = append(args, lab.Package)
	}
	build := exec.CommandContext(ctx, "go", args...)
	build.Dir, build.Stdout, build.Stderr = root, log, log
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build the labs: %w", err)
	}
	b := Open(root, bin)
	if unpark != "" {
		if err := b.adopt(unpark); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// adopt puts a binary that is there already in the place of unpark's.
func (b *Bench) adopt(binary string) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	if err := os.Remove(b.unpark()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.Symlink(binary, b.unpark())
}

func (b *Bench) unpark() string { return filepath.Join(b.bin, "unpark") }

func (b *Bench) binary(lab expect.Lab) string {
	return filepath.Join(b.bin, filepath.Base(lab.Package))
}

// Fingerprint names what an arm of a lab is made of: both binaries, the lengths
// and all that expect.yaml says of how to start it. Runs with the same one are
// repeats.
func (b *Bench) Fingerprint(lab expect.Lab, arm expect.Arm, s Settings) (string, error) {
	h := sha256.New()
	for _, file := range []string{b.unpark(), b.binary(lab)} {
		f, err := os.Open(file)
		if err != nil {
			return "", fmt.Errorf("read a binary: %w", err)
		}
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", fmt.Errorf("read a binary: %w", err)
		}
	}
	fmt.Fprintf(h, "%+v %q %q %q %q %q %g %q", s, arm.Args, arm.Load, arm.Path, arm.Targets, arm.Beside, arm.GeneratorCPUs, lab.Probe)
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}
