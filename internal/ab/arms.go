package ab

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/target/build"
)

// Arm is one side of an experiment: a command, or a package at a git revision.
type Arm struct {
	Command  []string // starts it; with Package, only its arguments
	Env      []string // "NAME=value", added to its environment
	Package  string   // built with the probe added
	Revision string   // of Package: a git revision, or WorkingTree
}

// WorkingTree is the revision that stands for the files as they are now,
// committed or not.
const WorkingTree = "."

const (
	beforeName = "before"
	afterName  = "after"
)

// prepared is an arm that can be started.
type prepared struct {
	binary string          // of a package; empty: the arm's command
	dir    string          // it runs there; empty: in this process's folder
	built  *build.Folder   // of its binary
	tree   *build.Worktree // nil for a command and for the working tree
	blind  bool            // it has no probe: do not wait for one again
}

func (e *experiment) name(i int) string { return []string{beforeName, afterName}[i] }

func (e *experiment) arm(i int) Arm { return []Arm{e.c.Before, e.c.After}[i] }

// build makes both arms ready before either runs: a compiler beside a round would
// be measured with it.
func (e *experiment) build(ctx context.Context) error {
	for i := range e.arms {
		arm := e.arm(i)
		if arm.Package == "" {
			if len(arm.Command) == 0 {
				return fmt.Errorf("the arm %s has no command", e.name(i))
			}
			continue
		}
		if err := e.compile(ctx, i, arm); err != nil {
			return fmt.Errorf("the arm %s: %w", e.name(i), err)
		}
	}
	return nil
}

// compile checks out the arm's revision and builds its package.
func (e *experiment) compile(ctx context.Context, i int, arm Arm) error {
	p := &e.arms[i]
	p.dir = e.c.Run.WorkDir
	if arm.Revision != "" && arm.Revision != WorkingTree {
		tree, err := build.CheckOut(ctx, e.c.Run.WorkDir, arm.Revision)
		if err != nil {
			return err
		}
		p.tree, p.dir = tree, tree.Dir
	}
	var err error
	if p.built, err = build.MakeFolder(e.c.Run.BuildDir); err != nil {
		return err
	}
	p.binary = filepath.Join(p.built.Path, build.Binary("target"))
	e.tell(Event{Run: &investigate.Event{Phase: "build", Detail: fmt.Sprintf("%s: go build -overlay %s at %s", e.name(i), arm.Package, revision(arm.Revision, p.tree))}})
	return build.Program(ctx, build.Spec{Package: arm.Package, Dir: p.dir, Output: p.binary, Tags: e.c.Run.Tags})
}

// revision names what is built.
func revision(name string, tree *build.Worktree) string {
	switch {
	case tree == nil:
		return "the working tree"
	case name == tree.Commit:
		return name
	default:
		return fmt.Sprintf("%s (%.12s)", name, tree.Commit)
	}
}

// discard removes what build made. It runs after everything else, whatever
// happened: what cannot be removed is reported, and does no harm.
func (e *experiment) discard() {
	for i := range e.arms {
		p := &e.arms[i]
		var err error
		if p.tree != nil {
			err = p.tree.Remove()
		}
		err = errors.Join(err, p.built.Remove())
		if err != nil {
			e.say(err.Error())
		}
	}
}

// config is one arm's run; label says what it is part of.
func (e *experiment) config(i int, label string) investigate.Config {
	c, p, arm := e.c.Run, e.arms[i], e.arm(i)
	c.Command, c.Package, c.Built, c.WorkDir = arm.Command, arm.Package, p.binary, p.dir
	c.Env = append(append([]string{}, c.Env...), arm.Env...)
	c.Progress = func(v investigate.Event) { e.tell(Event{Run: &v, Label: label}) }
	return c
}

// title names an arm for a reader, without what may be secret.
func title(a Arm) string {
	var words []string
	for _, assignment := range a.Env {
		words = append(words, unpark.RedactEnv(assignment))
	}
	words = append(words, unpark.RedactCommand(a.Command)...)
	if a.Package == "" {
		return strings.Join(words, " ")
	}
	name := a.Revision
	if name == "" || name == WorkingTree {
		name = "the working tree"
	}
	return a.Package + " at " + name
}
