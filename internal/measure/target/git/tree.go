package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Tree is the content of a repository's top folder: that of a commit, or of the working tree as it is, with what is not
// committed and without what is ignored.
type Tree struct {
	Hash   string // of git's tree object: what `git rev-parse REVISION^{tree}` prints
	Top    string // the repository's top folder
	Prefix string // from it to the folder that was given
}

// ReadTree hashes a tree of the repository that dir lies in, and copies it into a folder, which is made; empty: no copy.
// An empty revision is the working tree. left are what is left out of the working tree, because it is written while that
// is read: names of folders, wherever they are, and paths from the top. The repository is not written to.
func ReadTree(ctx context.Context, dir, revision, into string, left ...string) (Tree, error) {
	fail := func(err error) (Tree, error) {
		name := "the working tree"
		if errors.Is(err, ErrNoCommit) { // which says what names none
			return Tree{}, err
		}
		if revision != "" {
			name = fmt.Sprintf("revision %q", revision)
		}
		return Tree{}, fmt.Errorf("read %s: %w", name, err)
	}
	places, err := Run(ctx, dir, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return fail(fmt.Errorf("this folder is in no git tree (%w): go to the service's repository, or name folders", err))
	}
	t := Tree{}
	t.Top, t.Prefix, _ = strings.Cut(places, "\n")
	t.Prefix = filepath.FromSlash(strings.TrimSpace(t.Prefix))
	temporary, err := os.MkdirTemp("", "unpark-index-")
	if err != nil {
		return fail(fmt.Errorf("%w: set TMPDIR to a place with space", err))
	}
	defer os.RemoveAll(temporary)
	r := treeReader{top: t.Top, temporary: temporary}
	if t.Hash, err = r.hash(ctx, revision, left); err != nil {
		return fail(err)
	}
	if into != "" {
		if err := r.copy(ctx, into); err != nil {
			return fail(fmt.Errorf("copy it: %w", err))
		}
	}
	return t, nil
}

// treeReader has an index and a store of objects of its own.
type treeReader struct {
	top, temporary string
	env            []string
}

// hash fills the index and returns the hash of its tree.
func (r *treeReader) hash(ctx context.Context, revision string, left []string) (string, error) {
	index := filepath.Join(r.temporary, "index")
	r.env = []string{"GIT_INDEX_FILE=" + index}
	if revision != "" {
		commit, err := Resolve(ctx, r.top, revision)
		if err != nil {
			return "", err
		}
		if _, err := run(ctx, r.top, r.env, "read-tree", commit); err != nil {
			return "", err
		}
		return Run(ctx, r.top, "rev-parse", commit+"^{tree}")
	}
	objects, err := Run(ctx, r.top, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return "", err
	}
	own := filepath.Join(r.temporary, "objects")
	if err := os.Mkdir(own, 0o700); err != nil {
		return "", err
	}
	r.env = append(r.env, "GIT_OBJECT_DIRECTORY="+own, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+objects)
	if err := r.seed(ctx, index); err != nil {
		return "", err
	}
	args := []string{"-c", "core.fsmonitor=false", "add", "--all", "--", "."}
	for _, folder := range left {
		if folder = filepath.ToSlash(folder); strings.Contains(folder, "/") {
			args = append(args, ":(exclude,top,literal)"+folder)
		} else {
			args = append(args, ":(exclude,top,glob)**/"+folder+"/**")
		}
	}
	if _, err := run(ctx, r.top, r.env, args...); err != nil {
		return "", err
	}
	return run(ctx, r.top, r.env, "write-tree")
}

// seed begins with the user's own index, which says what has not changed; a new repository has none.
func (r *treeReader) seed(ctx context.Context, index string) error {
	name, err := Run(ctx, r.top, "rev-parse", "--path-format=absolute", "--git-path", "index")
	if err != nil {
		return err
	}
	from, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(index, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// copy writes the files of the index.
func (r *treeReader) copy(ctx context.Context, into string) error {
	if err := os.MkdirAll(into, 0o700); err != nil {
		return err
	}
	_, err := run(ctx, r.top, r.env, "checkout-index", "--all", "--quiet", "--prefix="+into+string(filepath.Separator))
	return err
}
