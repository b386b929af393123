package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Commit is one commit on the way from one revision to another.
type Commit struct {
	Hash, Title string
	Time        time.Time // of the commit
	Parents     int       // more than one: a merge, whose files are those that differ from its first parent
	Files       []string  // that it changed, from the repository's top, with slashes
}

// Resolve is the hash of the commit that a revision names, in the repository that dir lies in.
func Resolve(ctx context.Context, dir, revision string) (string, error) {
	commit, err := Run(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil:
		return commit, nil
	}
	if _, err := Run(ctx, dir, "rev-parse", "--show-toplevel"); err != nil {
		return "", noTree{fmt.Errorf("revision %q: this folder is in no git tree (%w): go to the service's repository", revision, err)}
	}
	return "", fmt.Errorf("revision %q: %w", revision, NoCommit(ctx, dir))
}

// NoCommit is the error of a revision that the repository of dir does not have, with where to look.
func NoCommit(ctx context.Context, dir string) error {
	cure := "see `git log --all --oneline` and `git tag`"
	if shallow(ctx, dir) {
		cure = "this clone is shallow: `git fetch --unshallow` brings the rest"
	}
	return fmt.Errorf("%w: %s", ErrNoCommit, cure)
}

// ErrNoCommit says that a revision names nothing.
var ErrNoCommit = errors.New("there is no such commit, branch or tag")

// noTree is an [ErrNoCommit] as well: where there is no tree, a revision names nothing.
type noTree struct{ error }

func (noTree) Is(target error) bool { return target == ErrNoCommit }

func (n noTree) Unwrap() error { return n.error }

// ErrNoWay says that there are no commits from one revision to another, because of which two they are.
var ErrNoWay = errors.New("the second does not follow the first")

// shallow reports whether a clone has only the newest commits.
func shallow(ctx context.Context, dir string) bool {
	out, err := Run(ctx, dir, "rev-parse", "--is-shallow-repository")
	return err == nil && out == "true"
}

// History returns the commits behind good up to and with bad, oldest first, along first parents: what a merge brought is one
// step. Both are hashes. The error says where good is not on that line.
func History(ctx context.Context, dir, good, bad string) ([]Commit, error) {
	fail := func(err error) ([]Commit, error) {
		return nil, fmt.Errorf("list the commits from %.12s to %.12s: %w", good, bad, err)
	}
	if good == bad {
		return fail(fmt.Errorf("%w: they are the same commit: name two", ErrNoWay))
	}
	// Records begin with NUL, fields end with US: neither is in a title.
	out, err := Run(ctx, dir, "-c", "core.quotepath=off", "log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--reverse", "--name-only",
		"--format=%x00%H%x1f%P%x1f%ct%x1f%s", good+".."+bad)
	if err != nil {
		return fail(err)
	}
	var all []Commit
	first := ""
	for record := range strings.SplitSeq(out, "\x00") {
		head, files, _ := strings.Cut(record, "\n")
		fields := strings.SplitN(head, "\x1f", 4)
		if len(fields) < 4 {
			continue
		}
		parents := strings.Fields(fields[1])
		if len(all) == 0 && len(parents) > 0 {
			first = parents[0]
		}
		at, _ := strconv.ParseInt(fields[2], 10, 64) // git prints a number
		c := Commit{Hash: fields[0], Title: fields[3], Time: time.Unix(at, 0).UTC(), Parents: len(parents)}
		for file := range strings.Lines(files) {
			if file = strings.TrimSuffix(file, "\n"); file != "" {
				c.Files = append(c.Files, file)
			}
		}
		all = append(all, c)
	}
	if first != good {
		return fail(offLine(ctx, dir, good, bad))
	}
	return all, nil
}

// offLine says why a commit is not on the first-parent line of another.
func offLine(ctx context.Context, dir, good, bad string) error {
	if shallow(ctx, dir) {
		return fmt.Errorf("%w: this clone is shallow and does not reach so far back: `git fetch --unshallow`", ErrNoWay)
	}
	base, err := Run(ctx, dir, "merge-base", good, bad)
	switch {
	case err != nil:
		return fmt.Errorf("%w: they have no commit in common: name two of one history", ErrNoWay)
	case base == bad:
		return fmt.Errorf("%w: the good one is newer: name them in the order GOOD BAD; a change for the better is found as well", ErrNoWay)
	case base == good:
		return fmt.Errorf("%w: the good one lies on a branch that was merged: name a commit of the main line before that merge", ErrNoWay)
	}
	return fmt.Errorf("%w: the last commit that both have is %.12s: name that as GOOD, or another ancestor of BAD", ErrNoWay, base)
}
