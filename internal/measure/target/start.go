package target

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/proc"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
)

// grace is how long a process may take to end after SIGTERM.
const grace = 3 * time.Second

// portTime is how long a target that listens on a unix socket may take to open a port.
const portTime = 2 * time.Second

// keep bounds what is remembered of the output, in bytes; the panic of a service with
// thousands of goroutines is longer, and its first lines matter most.
const keep = 64 << 10

// rateKept is what the runtime prints when a CPU profile takes the rate that the probe has set (probe/agent, startCPU;
// runtime/cpuprof.go): unpark's doing, and nothing that the service says.
const rateKept = "runtime: cannot set cpu profile rate until previous profile has finished.\n"

// Start starts the target; ctx bounds the start alone. Call Stop in any case,
// also after the command has ended by itself.
//
// A CPU limit that cannot be set is not an error: the target runs without it and
// Describe().Confinement begins with "none: " and the reason. Processors that do
// not exist are an error, like a command that cannot be run.
func Start(ctx context.Context, s Spec) (*Target, error) {
	return start(ctx, s, confine.Make)
}

// start is Start with the way to make a cgroup.
func start(ctx context.Context, s Spec, makeGroup func(quota float64) (*confine.Group, error)) (*Target, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start the target: %w", err)
	}
	dir, err := makeProbeDir()
	if err != nil {
		return nil, err
	}
	t := &Target{dir: dir, grace: grace, portTime: portTime, dial: s.Dial}
	t.describe = unpark.Target{Command: slices.Clone(s.Command), CPUs: slices.Clone(s.CPUs)}
	cg, reason := makeGroup(s.Quota)
	err = t.launch(s, cg)
	if err != nil && cg != nil {
		// Some kernels and containers take a cgroup and then let no process in. The
		// second failure, if it is one, is the command's own.
		_ = cg.Remove()
		cg, reason = nil, err
		err = t.launch(s, nil)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	t.cgroup = cg
	t.confined(s, reason)
	return t, nil
}

// launch starts the command, in a cgroup if there is one.
func (t *Target) launch(s Spec, cg *confine.Group) error {
	mark := "UNPARK_PROBE=unix:" + t.dir
	cmd := exec.Command(s.Command[0], s.Command[1:]...)
	cmd.Dir = s.Dir
	cmd.Env = append(append(cmd.Environ(), mark), s.Env...)
	release, err := cg.Prepare(cmd)
	if err != nil {
		return err
	}
	defer release()
	t.output = proc.NewOutput(proc.TailOrPanic, keep, s.Output).Without(rateKept)
	t.command, err = proc.Start(proc.Spec{
		Cmd: cmd, Stdout: t.output, Stderr: t.output, Mark: mark, Folder: t.dir, Confinement: cg.Confinement(s.CPUs),
	})
	if err != nil {
		return failure(s, err)
	}
	return nil
}

// confined completes the description once the command runs.
func (t *Target) confined(s Spec, reason error) {
	bounds := confine.BoundsOf([]int{t.command.PID()})
	t.throttled = bounds.Throttled
	how, limited := t.cgroup.Limit()
	if limited && !bounds.Quota.Known() {
		bounds.Quota = unpark.Num(s.Quota) // it has ended already
	}
	t.describe.Quota = bounds.Quota
	if !limited && s.Quota > 0 {
		how = "none: " + reason.Error()
	}
	if len(s.CPUs) > 0 {
		affinity := "affinity"
		if !confine.Pins {
			affinity = "no affinity: " + runtime.GOOS + " has no call for it"
			t.describe.CPUs = nil
		}
		how = strings.TrimPrefix(how+", "+affinity, ", ")
	}
	t.describe.Confinement = how
}

// failure says why a command could not be run and what to do about it.
func failure(s Spec, err error) error {
	name := s.Command[0]
	file := name // where the kernel looks for it
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.Dir, file)
	}
	var affinity *confine.AffinityError
	switch {
	case errors.As(err, &affinity):
		return fmt.Errorf("start the target: %w", err)
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("start the target: %q is not a command on PATH: check the spelling, or give its path, such as ./%s", name, name)
	case errors.Is(err, exec.ErrDot):
		return fmt.Errorf("start the target: %q is in the current folder, which is not on PATH: write ./%s", name, name)
	case errors.Is(err, fs.ErrNotExist):
		cure := "check the path"
		if _, e := os.Stat(file); e == nil {
			cure = "the file is there, so what it needs is missing: the interpreter in its first line, or its dynamic loader"
		}
		return fmt.Errorf("start the target: %s: %w: %s", name, cause(err), cure)
	case errors.Is(err, fs.ErrPermission):
		cure := "make it executable (chmod +x), or start it through its interpreter"
		if info, e := os.Stat(file); e == nil && info.IsDir() {
			cure = "it is a folder: name a program, or build the package in it with --pkg"
		}
		return fmt.Errorf("start the target: %s: %w: %s", name, cause(err), cure)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("start the target: %s: %w: it is no program for this machine: build it for %s/%s, or give a script a first line such as #!/bin/sh",
			name, cause(err), runtime.GOOS, runtime.GOARCH)
	}
	return fmt.Errorf("start the target: %s: %w: start it by hand to see why", name, cause(err))
}

// cause strips the operation and path that the os package adds, where the
// message around it has them.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
