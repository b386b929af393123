package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/measure/proc"
	"github.com/unpark-go/unpark/internal/measure/target/git"
)

// Worktree is a git revision in a temporary folder, beside the user's own tree,
// which it leaves as it is. Remove it in any case.
type Worktree struct {
	Dir    string // what stands for the folder that was given to CheckOut
	Top    string // the worktree itself
	Commit string // full hash

	temporary string
	repo      string   // top folder of the user's tree
	missing   []string // submodules that are not in it, with what would bring them
	recorded  bool     // git knows of it
	guard     *proc.Guard
}

// CheckOut checks a revision of the repository that dir lies in out into a
// temporary folder (git worktree add --detach, without hooks), with its submodules as far
// as this machine has them. dir may be empty: this process's folder.
func CheckOut(ctx context.Context, dir, revision string) (*Worktree, error) {
	fail := func(err error) (*Worktree, error) {
		return nil, fmt.Errorf("check out revision %q: %w", revision, err)
	}
	if _, err := exec.LookPath("git"); err != nil {
		return fail(errors.New("the git command is not on PATH: install git, or build both arms yourself and name commands"))
	}
	places, err := git.Run(ctx, dir, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return fail(fmt.Errorf("this folder is in no git tree (%w): go to the service's repository, or name commands in place of revisions", err))
	}
	top, prefix, _ := strings.Cut(places, "\n")
	commit, err := git.Run(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return fail(ctx.Err())
		}
		return fail(fmt.Errorf("%w; the working tree is \".\"", git.NoCommit(ctx, dir)))
	}
	w := &Worktree{Commit: commit, repo: top}
	if w.temporary, err = os.MkdirTemp("", "unpark-worktree-"); err != nil {
		return fail(fmt.Errorf("%w: set TMPDIR to a place with space", err))
	}
	w.guard = guardFolder(w.temporary, top)
	w.Top = filepath.Join(w.temporary, filepath.Base(top))
	w.Dir = filepath.Join(w.Top, filepath.FromSlash(strings.TrimSpace(prefix)))
	_, err = git.Run(ctx, top, "worktree", "add", "--detach", "--quiet", w.Top, commit)
	w.recorded = err == nil
	if err == nil {
		w.missing, err = git.CheckOutSubmodules(ctx, top, commit, w.Top)
	}
	if err == nil && !isFolder(w.Dir) {
		err = fmt.Errorf("the folder %s does not exist in it: start in one that both revisions have", strings.TrimSpace(prefix))
	}
	if err != nil {
		return fail(errors.Join(err, w.Remove()))
	}
	return w, nil
}

// Explain adds to the error of a build which submodules the tree lacks, before what the compiler says of it. A nil worktree has none.
func (w *Worktree) Explain(err error) error {
	if err == nil || w == nil || len(w.missing) == 0 {
		return err
	}
	return fmt.Errorf("%s:\n%w", strings.Join(w.missing, "\n"), err)
}

// Remove deletes the folder and git's record of it. A second call does nothing.
func (w *Worktree) Remove() error {
	if w.temporary == "" {
		return nil
	}
	// The caller is often on the way out, with a context that has ended.
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var err error
	if w.recorded {
		_, err = git.Run(ctx, w.repo, "worktree", "remove", "--force", w.Top)
	}
	err = errors.Join(err, os.RemoveAll(w.temporary))
	w.guard.Dismiss()
	w.guard = nil
	if err != nil {
		return fmt.Errorf("remove the worktree %s: %w: remove it by hand, then run `git worktree prune`", w.temporary, err)
	}
	w.temporary = ""
	return nil
}
