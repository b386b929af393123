package bucket

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/unpark-go/unpark/internal/escape"
)

// Pull writes a run into a directory that must not exist, and returns how many files and bytes it has. When it fails nothing is there.
func (s *Store) Pull(ctx context.Context, run, dir string) (files int, bytes int64, err error) {
	m, err := s.manifest(ctx, run)
	if err != nil {
		return 0, 0, err
	}
	fail := func(err error) (int, int64, error) {
		return 0, 0, fmt.Errorf("pull %s into %s: %w", s.at.run(run), escape.Line(dir), err)
	}
	if _, err := os.Lstat(dir); err == nil {
		return fail(errors.New("it exists already: choose another directory, or remove it"))
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o700); err != nil {
		return fail(err)
	}
	temporary, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), ".pull-") // 0700
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(temporary)
	if err := s.fetch(ctx, m, m.Files, temporary); err != nil {
		return fail(err)
	}
	if err := os.Rename(temporary, dir); err != nil {
		return fail(err)
	}
	return len(m.Files), m.size(), nil
}

// fetch writes files of a run below a directory; those that are there with their size are kept.
func (s *Store) fetch(ctx context.Context, m manifest, files []entry, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for _, e := range files {
		name := filepath.FromSlash(e.Name)
		if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() == e.Size {
			continue
		}
		if parent := filepath.Dir(name); parent != "." {
			if err := root.MkdirAll(parent, 0o700); err != nil {
				return errors.Join(err, g.Wait())
			}
		}
		g.Go(func() error { return s.receive(within, root, m.Run, e) })
	}
	return g.Wait()
}

// receive writes one file beside its name and renames it when its sum is right.
func (s *Store) receive(ctx context.Context, root *os.Root, run string, e entry) error {
	in, err := s.objects.Get(ctx, s.key(run, e.Name))
	if err != nil {
		return fmt.Errorf("%s: %w: the store lost a file of the run: restore it, or push the run again after unpark store rm", escape.Line(e.Name), err)
	}
	defer in.Close()
	name := filepath.FromSlash(e.Name)
	temporary := name + "." + rand.Text() + ".fetching" // another page may bring the same file
	f, err := root.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = root.Remove(temporary) }() // after the rename it is not there
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, h), io.LimitReader(in, e.Size+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", escape.Line(e.Name), err)
	}
	if got := hex.EncodeToString(h.Sum(nil)); n != e.Size || got != e.SHA256 {
		what := fmt.Sprintf("its SHA-256 is %s… and not %s…", got[:12], e.SHA256[:12])
		if n != e.Size {
			what = fmt.Sprintf("it has another size than %d bytes", e.Size)
		}
		return fmt.Errorf("%s: %w: %s: restore it, or push the run again after unpark store rm", escape.Line(e.Name), errCorrupt, what)
	}
	return root.Rename(temporary, name)
}

var errCorrupt = errors.New("the object is not what the manifest says")
