package turns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/target/build"
)

// Arm is a version of a service: a command, or a package at a git revision.
type Arm struct {
	Command  []string // starts it; with Package, only its arguments
	Env      []string // "NAME=value", added to its environment
	Package  string   // built with the probe added
	Revision string   // of Package: a git revision, or WorkingTree
	Dir      string   // a copy of the revision: Package is looked up and runs there, and nothing is checked out
	Binary   string   // of Package in Dir, when it was built already
	Trim     bool     // of Package: equal sources make equal binaries (go build -trimpath)
}

// WorkingTree is the revision that stands for the files as they are now,
// committed or not.
const WorkingTree = "."

// Built is an arm that can be started. Remove it in any case.
type Built struct {
	Name   string // "before", or what a reader knows the revision by
	Binary string // of a package; empty: the arm's command

	arm   Arm
	dir   string          // it runs there; empty: in this process's folder
	built *build.Folder   // of its binary
	tree  *build.Worktree // nil for a command and for the working tree
	blind bool            // it has no probe: do not wait for one again
}

// Build makes an arm ready: a package is checked out at its revision and compiled. The arm is returned with an error as
// well, because what there is of it has to be removed.
func (d *Driver) Build(ctx context.Context, name string, arm Arm) (*Built, error) {
	b := &Built{Name: name, arm: arm}
	switch {
	case arm.Package != "":
		return b, d.compile(ctx, b)
	case len(arm.Command) == 0:
		return b, errors.New("it has no command")
	}
	return b, nil
}

// compile checks out the arm's revision and builds its package.
func (d *Driver) compile(ctx context.Context, b *Built) error {
	b.dir = cmp.Or(b.arm.Dir, d.Run.WorkDir)
	if b.Binary = b.arm.Binary; b.Binary != "" {
		return nil
	}
	if b.arm.Dir == "" && b.arm.Revision != "" && b.arm.Revision != WorkingTree {
		tree, err := build.CheckOut(ctx, d.Run.WorkDir, b.arm.Revision)
		if err != nil {
			return err
		}
		b.tree, b.dir = tree, tree.Dir
	}
	var err error
	if b.built, err = build.MakeFolder(d.Run.BuildDir); err != nil {
		return err
	}
	b.Binary = filepath.Join(b.built.Path, build.Binary("target"))
	d.tell("", investigate.Event{Phase: "build", Detail: fmt.Sprintf("%s: go build -overlay %s at %s", b.Name, b.arm.Package, b.arm.revision(b.tree))})
	return b.tree.Explain(build.Program(ctx, build.Spec{Package: b.arm.Package, Dir: b.dir, Output: b.Binary, Tags: d.Run.Tags, Trim: b.arm.Trim}))
}

// revision names what is built.
func (a Arm) revision(tree *build.Worktree) string {
	switch {
	case a.Dir != "" || tree != nil && a.Revision == tree.Commit:
		return a.Revision
	case tree == nil:
		return "the working tree"
	default:
		return fmt.Sprintf("%s (%.12s)", a.Revision, tree.Commit)
	}
}

// Sources are those that the arm was built from, and Top the folder of its worktree.
func (b *Built) Sources(ctx context.Context) (s build.Sources, top string, err error) {
	if b.tree == nil {
		return s, "", errors.New("list the sources: the arm is no revision")
	}
	s, err = build.ListSources(ctx, build.Spec{Package: b.arm.Package, Dir: b.dir})
	return s, b.tree.Top, err
}

// Remove deletes what building made. A nil arm has nothing.
func (b *Built) Remove() error {
	if b == nil {
		return nil
	}
	var err error
	if b.tree != nil {
		err = b.tree.Remove()
	}
	return errors.Join(err, b.built.Remove())
}

// Config is one arm's run; label says what it is part of.
func (d *Driver) Config(b *Built, label string) investigate.Config {
	c := d.Run
	c.Command, c.Package, c.Built, c.WorkDir = b.arm.Command, b.arm.Package, b.Binary, b.dir
	c.Env = append(append([]string{}, c.Env...), b.arm.Env...)
	c.Progress = func(v investigate.Event) { d.tell(label, v) }
	return c
}
