package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// git runs git in a folder and returns what it printed, trimmed.
func git(dir string, args ...string) (string, error) { return gitWith(dir, nil, args...) }

func gitWith(dir string, env []string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(failed.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// refuse says why no release can be made of the tree.
func (r release) refuse() error {
	if err := validVersion(r.version); err != nil {
		return err
	}
	changes, err := git(r.root, "status", "--porcelain")
	if err != nil {
		return err
	}
	if changes != "" {
		return fmt.Errorf("release %s: the tree has changes that are not committed: commit or stash them:\n%s", r.version, changes)
	}
	list, err := git(r.root, "tag", "--list")
	if err != nil {
		return err
	}
	tags := strings.Fields(list)
	for _, p := range parts {
		for _, t := range tags {
			v, ok := strings.CutPrefix(t, p.tag(""))
			if !ok || !semver.IsValid(v) {
				continue
			}
			switch semver.Compare(v, r.version) {
			case 0:
				return fmt.Errorf("release %s: the tag %s exists: a version that was published stays as it is; take the next", r.version, t)
			case 1:
				return fmt.Errorf("release %s: the tag %s is a later version: take one after it", r.version, t)
			}
		}
	}
	return nil
}

// branch returns the branch that the release is to be on.
func (r release) branch() (string, error) {
	name, err := git(r.root, "symbolic-ref", "--short", "HEAD")
	if err != nil {
		return "", fmt.Errorf("release %s: no branch is checked out (%w): check one out, the release's commit goes there", r.version, err)
	}
	return name, nil
}

// export calls f with the files of a revision in a folder of their own. It is no
// worktree: that has a file .git, which would get into the module's zip file.
func (r release) export(revision string, f func(t checkout) error) error {
	dir, err := os.MkdirTemp("", "unpark-tree-")
	if err != nil {
		return fmt.Errorf("make a folder for the files: %w: set TMPDIR to a place with space", err)
	}
	defer os.RemoveAll(dir)
	t := checkout{files: filepath.Join(dir, "unpark"), index: filepath.Join(dir, "index"), revision: revision}
	if err := os.Mkdir(t.files, 0o755); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"read-tree", revision},
		// Bytes as they are in the repository, whatever this system ends lines with.
		{"-c", "core.autocrlf=false", "checkout-index", "--all", "--prefix=" + t.files + "/"},
	} {
		if _, err := gitWith(r.root, t.env(), args...); err != nil {
			return fmt.Errorf("write the files of %s: %w", revision, err)
		}
	}
	return f(t)
}

// checkout is the files of a revision, and an index that is not the user's.
type checkout struct{ files, index, revision string }

func (t checkout) env() []string { return []string{"GIT_INDEX_FILE=" + t.index} }

// date returns when the revision was committed.
func (r release) date(revision string) (time.Time, error) {
	text, err := git(r.root, "show", "--no-patch", "--format=%cI", revision+"^{commit}")
	if err != nil {
		return time.Time{}, err
	}
	date, err := time.Parse(time.RFC3339, text)
	return date.UTC(), err
}

// commit makes a commit of the files, on no branch yet, and returns its name.
func (r release) commit(t checkout, date time.Time) (string, error) {
	in := func(args ...string) (string, error) {
		when := date.Format(time.RFC3339)
		env := append(t.env(), "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
		return gitWith(r.root, env, args...)
	}
	if _, err := in("-c", "core.autocrlf=false", "--work-tree="+t.files, "add", "--all"); err != nil {
		return "", err
	}
	tree, err := in("write-tree")
	if err != nil {
		return "", err
	}
	return in("commit-tree", "-p", "HEAD", "-m", "release: "+r.version, tree)
}

// publish commits the prepared files on the branch and sets the tags; nothing of
// it leaves this machine. A tag that fails takes back those before it.
func (r release) publish(t checkout, branch string, date time.Time) error {
	commit, err := r.commit(t, date)
	if err != nil {
		return err
	}
	if _, err := git(r.root, "merge", "--quiet", "--ff-only", commit); err != nil {
		return fmt.Errorf("put the release on %s: %w: nothing was tagged; release again from where it is now", branch, err)
	}
	var tags []string
	for _, p := range parts {
		tag := p.tag(r.version)
		if _, err := git(r.root, "tag", "--annotate", "--message", p.path+" "+r.version, tag, commit); err != nil {
			for _, t := range tags {
				_, undone := git(r.root, "tag", "--delete", t)
				err = errors.Join(err, undone)
			}
			return fmt.Errorf("tag %s: %w: the commit %s stays on %s; take it back with git reset", tag, err, commit, branch)
		}
		tags = append(tags, tag)
		r.say("tagged %s", tag)
	}
	// At once: a proxy that sees the tool without the probe remembers that.
	r.say("to publish: git push --atomic origin %s %s", branch, strings.Join(tags, " "))
	return nil
}
