// Package arms runs the arms of labs under `unpark run`, with the binary that is
// built from this tree: as a user would, in processes of their own.
//
//	Find      the source tree and its labs
//	Build     unpark and the labs, once
//	Rate      what a service says of the rate that it can take
//	Run       `unpark run`, with the flags of the arm, into a run directory
//	Rounds    `unpark ab`, of two arms in turns
//
// Run and Rounds start what an arm needs beside it: slow clients, a server that it
// asks.
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
	// Attach starts services without a probe, and has their processes read from outside.
	Attach bool
}

// Open returns what is in bin already.
func Open(root, bin string) *Bench { return &Bench{root: root, bin: bin} }

// Bench is a folder with what Build made.
type Bench struct {
	root string // of the source tree
	bin  string
}

// Tree is a source tree with its labs.
type Tree struct {
	Root string
	Labs []expect.Lab // in the order of their names
}

// Find reads the labs of the source tree that the working directory is in.
func Find(ctx context.Context) (Tree, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		return Tree{}, fmt.Errorf("ask go for the workspace: %w: install the Go toolchain", err)
	}
	work := strings.TrimSpace(string(out))
	if filepath.Base(work) != "go.work" {
		return Tree{}, errors.New("find the source tree: no go.work here: run this inside a clone of unpark")
	}
	t := Tree{Root: filepath.Dir(work)}
	files, err := filepath.Glob(filepath.Join(t.Root, "labs", "*", "expect.yaml"))
	if err != nil {
		return t, err
	}
	for _, file := range files {
		lab, err := expect.Read(file)
		if err != nil {
			return t, err
		}
		t.Labs = append(t.Labs, lab)
	}
	if len(t.Labs) == 0 {
		return t, fmt.Errorf("find the labs: %s has none", filepath.Join(t.Root, "labs"))
	}
	return t, nil
}

// Build compiles the labs into bin, and unpark too unless one is named. What
// the compiler says goes to log.
func (t Tree) Build(ctx context.Context, bin, unpark string, log io.Writer) (*Bench, error) {
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
	for _, lab := range t.Labs {
		args = append(args, lab.Package)
	}
	build := exec.CommandContext(ctx, "go", args...)
	build.Dir, build.Stdout, build.Stderr = t.Root, log, log
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build the labs: %w", err)
	}
	b := Open(t.Root, bin)
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
	if len(arm.Also) > 0 {
		fmt.Fprintf(h, " %q", arm.Also)
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}
