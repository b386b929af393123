package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// submodule is one that a commit has.
type submodule struct {
	path   string // in the commit's tree, with slashes
	commit string
	clone  string // its git directory here; empty: it has none
}

// CheckOutSubmodules writes the submodules that a commit has into the folder that the commit itself is checked out in, each at the
// commit that it is recorded with, and theirs in turn. They come from the clones that the repository around dir has: nothing is
// fetched, and nothing is recorded in them. missing says of those that have none here, or one without that commit, what would bring
// them: a program that does not use them is built without.
func CheckOutSubmodules(ctx context.Context, dir, commit, into string) (missing []string, err error) {
	gitDir, err := Run(ctx, dir, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	return submodules{into: into}.all(ctx, "", gitDir, commit)
}

// submodules are written below a folder.
type submodules struct{ into string }

// all writes those of a commit of the repository with this git directory, which lies at a path below the folder.
func (s submodules) all(ctx context.Context, below, gitDir, commit string) (missing []string, err error) {
	found, err := submodulesOf(ctx, filepath.Join(s.into, filepath.FromSlash(below)), gitDir, commit)
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		path := strings.TrimPrefix(below+"/"+m.path, "/")
		switch err := s.one(ctx, path, m); {
		case ctx.Err() != nil:
			return missing, ctx.Err()
		case m.clone == "":
			missing = append(missing, fmt.Sprintf("submodule %s has no clone here: git submodule update --init --recursive", path))
		case err != nil:
			missing = append(missing, fmt.Sprintf("submodule %s cannot be checked out at %.12s: git -C %s fetch brings commits that its clone lacks (%v)", path, m.commit, path, err))
		default:
			more, err := s.all(ctx, path, m.clone, m.commit)
			if missing = append(missing, more...); err != nil {
				return missing, err
			}
		}
	}
	return missing, nil
}

// one checks a submodule out. It becomes a repository of its own that borrows the objects of the clone.
func (s submodules) one(ctx context.Context, path string, m submodule) error {
	if m.clone == "" {
		return nil
	}
	to := filepath.Join(s.into, filepath.FromSlash(path))
	objects, err := run(ctx, to, []string{"GIT_DIR=" + m.clone}, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return err
	}
	if _, err := Run(ctx, to, "init", "--quiet", "--template="); err != nil {
		return err
	}
	info := filepath.Join(to, ".git", "objects", "info")
	if err := os.MkdirAll(info, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(info, "alternates"), []byte(objects+"\n"), 0o600); err != nil {
		return err
	}
	_, err = Run(ctx, to, "checkout", "--quiet", "--detach", m.commit)
	return err
}

// submodulesOf lists those of a commit, which is checked out in dir.
func submodulesOf(ctx context.Context, dir, gitDir, commit string) ([]submodule, error) {
	modules := filepath.Join(dir, ".gitmodules")
	if _, err := os.Stat(modules); err != nil {
		return nil, nil //nolint:nilerr // it has none
	}
	paths, err := Run(ctx, dir, "config", "--file", modules, "--null", "--get-regexp", `^submodule\..*\.path$`)
	if err != nil {
		return nil, nil //nolint:nilerr // it names none
	}
	var out []submodule
	for record := range strings.SplitSeq(paths, "\x00") {
		key, path, ok := strings.Cut(record, "\n")
		if !ok || !filepath.IsLocal(filepath.FromSlash(path)) {
			continue
		}
		entry, err := run(ctx, dir, []string{"GIT_DIR=" + gitDir}, "ls-tree", "--full-tree", commit, "--", path)
		if err != nil {
			return nil, err
		}
		fields := strings.Fields(entry)
		if len(fields) < 3 || fields[1] != "commit" {
			continue // it is named, and not there
		}
		name := strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
		m := submodule{path: path, commit: fields[2]}
		// The second is that of a clone that was made before the submodule was one.
		for _, clone := range []string{filepath.Join(gitDir, "modules", name), filepath.Join(filepath.Dir(gitDir), path, ".git")} {
			if _, err := os.Stat(filepath.Join(clone, "HEAD")); err == nil && m.clone == "" {
				m.clone = clone
			}
		}
		out = append(out, m)
	}
	return out, nil
}
