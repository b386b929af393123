package prove

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unpark-go/unpark/internal/measure/target/build"
	"github.com/unpark-go/unpark/internal/measure/target/git"
)

// Spec names the two trees.
type Spec struct {
	Dir           string   // from which both are looked up; empty: this process's folder
	Before, After string   // a git revision, or a folder: "." or a path that begins with ./, ../ or /
	Left          []string // folders that are of neither: results that are written meanwhile; names, or absolute paths
}

// Tree is a copy of one tree, with the hash of what it is a copy of.
type Tree struct {
	Name string
	Hash string // as in unpark.ProofTree
	Dir  string // the folder that was named, in the copy
	Top  string // the copy

	origin   string   // folder
	revision string   // empty: the folder as it is
	plain    bool     // it is in no repository
	left     []string // see Spec
}

// Session is a proof while it goes on.
type Session struct {
	Before, After *Tree
	folder        *build.Folder
}

// Open copies both trees. Close the session in any case.
func Open(ctx context.Context, spec Spec) (*Session, error) {
	folder, err := build.MakeFolder("")
	if err != nil {
		return nil, err
	}
	s := &Session{folder: folder}
	for _, arm := range []struct {
		role, name string
		to         **Tree
	}{{"before", spec.Before, &s.Before}, {"after", spec.After, &s.After}} {
		t, err := spec.tree(ctx, arm.name, filepath.Join(folder.Path, arm.role))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the tree %s: %w", arm.role, err), s.Close())
		}
		*arm.to = t
	}
	return s, nil
}

// Close removes the copies.
func (s *Session) Close() error { return s.folder.Remove() }

// isFolder tells a folder from a revision, which no path of these forms is.
func isFolder(name string) bool {
	name = filepath.ToSlash(name)
	return name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") || filepath.IsAbs(name)
}

// tree reads and copies one.
func (s Spec) tree(ctx context.Context, name, into string) (*Tree, error) {
	t := &Tree{Name: name, origin: s.Dir, revision: name, left: s.Left}
	if isFolder(name) {
		t.revision, t.origin = "", name
		if !filepath.IsAbs(name) {
			t.origin = filepath.Join(s.Dir, name)
		}
		if info, err := os.Stat(t.origin); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder: name a folder or a git revision", name)
		}
		_, err := git.Run(ctx, t.origin, "rev-parse", "--is-inside-work-tree")
		_, none := exec.LookPath("git")
		t.plain = err != nil || none != nil
	}
	origin, err := filepath.Abs(t.origin)
	if err != nil {
		return nil, err
	}
	t.origin = origin
	t.Top = filepath.Join(into, filepath.Base(origin))
	if !t.plain {
		if err := t.fromGit(ctx); err != nil {
			return nil, err
		}
		if info, err := os.Stat(t.Dir); err == nil && info.IsDir() {
			return t, nil
		}
		if t.revision != "" {
			return nil, fmt.Errorf("the folder does not exist at %s: start in one that both trees have", name)
		}
		t.plain = true // ignored by the repository that it lies in
		t.Top = filepath.Join(into, "plain", filepath.Base(origin))
	}
	t.Dir = t.Top
	t.Hash, err = t.walk(ctx, t.Top)
	return t, err
}

func (t *Tree) fromGit(ctx context.Context) error {
	tree, err := git.ReadTree(ctx, t.origin, t.revision, t.Top, t.leftIn(ctx)...)
	if err != nil {
		return err
	}
	t.Hash, t.Dir = "git:"+tree.Hash, filepath.Join(t.Top, tree.Prefix)
	return nil
}

// leftIn is what is left out, with paths from the repository's top.
func (t *Tree) leftIn(ctx context.Context) []string {
	top, err := git.Run(ctx, t.origin, "rev-parse", "--show-toplevel")
	var out []string
	for _, name := range t.left {
		if !filepath.IsAbs(name) {
			out = append(out, name)
		} else if rel, outside := filepath.Rel(top, name); err == nil && outside == nil && filepath.IsLocal(rel) {
			out = append(out, "./"+rel)
		}
	}
	return out
}

// again hashes what the tree is a copy of; a revision is what it was.
func (t *Tree) again(ctx context.Context) (string, error) {
	switch {
	case t.revision != "":
		return t.Hash, nil
	case t.plain:
		return t.walk(ctx, "")
	}
	tree, err := git.ReadTree(ctx, t.origin, "", "", t.leftIn(ctx)...)
	return "git:" + tree.Hash, err
}

// walk hashes a folder that is in no repository, and copies it; empty: no copy.
func (t *Tree) walk(ctx context.Context, into string) (string, error) {
	sum, files, size := sha256.New(), 0, int64(0)
	err := filepath.WalkDir(t.origin, func(path string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		rel, err := filepath.Rel(t.origin, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if rel != "." && (d.Name() == ".git" || slices.Contains(t.left, d.Name()) || slices.Contains(t.left, path)) {
				return fs.SkipDir
			}
			return makeFolder(into, rel)
		}
		files++
		line, n, err := copyFile(path, rel, into, d)
		if size += n; files > mostFiles || size > mostBytes {
			return fmt.Errorf("it has more than %d files or %d GB: name the folder of the service alone", mostFiles, mostBytes>>30)
		}
		fmt.Fprintln(sum, line)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read the folder %s: %w", t.origin, err)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}

func makeFolder(into, rel string) error {
	if into == "" {
		return nil
	}
	return os.MkdirAll(filepath.Join(into, rel), 0o700)
}

// copyFile copies a file or a link, and returns the line that stands for it in the hash, and its size.
func copyFile(path, rel, into string, d fs.DirEntry) (line string, size int64, err error) {
	info, err := d.Info()
	if err != nil {
		return "", 0, err
	}
	to := filepath.Join(into, rel)
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err == nil && into != "" {
			err = os.Symlink(target, to)
		}
		return fmt.Sprintf("link %q %q", filepath.ToSlash(rel), target), 0, err
	case !mode.IsRegular():
		return fmt.Sprintf("other %q", filepath.ToSlash(rel)), 0, nil // a socket, a pipe: nothing is built from it
	}
	from, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer from.Close()
	sum := sha256.New()
	var w io.Writer = sum
	if into != "" {
		f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600|info.Mode()&0o100)
		if err != nil {
			return "", 0, err
		}
		defer f.Close()
		w = io.MultiWriter(sum, f)
	}
	n, err := io.Copy(w, from)
	return fmt.Sprintf("file %q %v %x", filepath.ToSlash(rel), info.Mode()&0o100 != 0, sum.Sum(nil)), n, err
}

// links are the symbolic links that lead out of the copy, with where to.
func (t *Tree) links() (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(t.Top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink == 0 {
			return err
		}
		target, err := os.Readlink(path)
		if err != nil {
			return err
		}
		at := target
		if !filepath.IsAbs(target) {
			at = filepath.Join(filepath.Dir(path), target)
		}
		rel, outside := filepath.Rel(t.Top, path)
		if where, err := filepath.Rel(t.Top, at); outside == nil && (err != nil || !filepath.IsLocal(where)) {
			out[rel] = target
		}
		return nil
	})
	return out, err
}
