package bucket

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/store"
)

// Pushed is what came of a push.
type Pushed struct {
	Run     string
	Files   int
	Bytes   int64
	Resumed int  // files that were there from an upload that was interrupted
	Already bool // the whole run was there: nothing was sent
	// Unguarded: the server replaces objects although it is asked not to, so that two uploads of one name at the same moment are not
	// kept apart; what is read is held against the manifest.
	Unguarded bool
}

// Push keeps a directory, a run or an experiment with its runs, under its own name. It is visible when all of it is there. A push that was
// interrupted goes on when it is repeated. A name that is taken by other files is an error that wraps [io/fs.ErrExist]: nothing is
// ever replaced.
func (s *Store) Push(ctx context.Context, dir string) (Pushed, error) {
	run, m, err := survey(dir)
	if err != nil {
		return Pushed{}, fmt.Errorf("push %s: %w", escape.Line(dir), err)
	}
	out, err := s.push(ctx, dir, m)
	out.Run = run
	if err != nil {
		return out, fmt.Errorf("push %s to %s: %w", escape.Line(dir), s.at.run(run), err)
	}
	return out, nil
}

// survey lists and sums the files of a directory.
func survey(dir string) (string, manifest, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", manifest{}, err
	}
	m := manifest{Schema: schema, Run: filepath.Base(absolute)}
	if err := checkRun(m.Run); err != nil {
		return "", m, err
	}
	known := false
	err = filepath.WalkDir(absolute, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(absolute, p)
		if err != nil || rel == "." {
			return err
		}
		name := filepath.ToSlash(rel)
		if strings.HasPrefix(d.Name(), ".") || strings.HasSuffix(name, ".tmp") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		if !d.Type().IsRegular() || !ordinary(name) {
			return fmt.Errorf("%s is no regular file of a run", escape.Line(name))
		}
		if len(m.Files) == maxFiles {
			return fmt.Errorf("more than %d files: it is no run directory", maxFiles)
		}
		known = known || isDocument(name) || strings.HasPrefix(name, "window-")
		e, err := sum(absolute, name)
		m.Files = append(m.Files, e)
		return err
	})
	if err == nil && !known {
		err = errors.New("neither a run nor an experiment is in it: name a directory that unpark wrote")
	}
	slices.SortFunc(m.Files, func(a, b entry) int { return cmp.Compare(a.Name, b.Name) })
	return m.Run, m, err
}

func sum(dir, name string) (entry, error) {
	f, err := store.File(dir, name)
	if err != nil {
		return entry{}, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err == nil && n > maxFile {
		err = fmt.Errorf("%s is larger than %d GB", escape.Line(name), maxFile>>30)
	}
	return entry{name, n, hex.EncodeToString(h.Sum(nil))}, err
}

// push uploads what a manifest names.
func (s *Store) push(ctx context.Context, dir string, m manifest) (Pushed, error) {
	out := Pushed{Files: len(m.Files), Bytes: m.size()}
	var err error
	if out.Already, err = s.there(ctx, m); out.Already || err != nil {
		return out, err
	}
	guarded, resumed, err := s.claim(ctx, m)
	if err != nil {
		return out, err
	}
	out.Unguarded = !guarded
	// Another upload may have ended between that look and the claim. From here on none can: its draft would have to be there.
	if out.Already, err = s.there(ctx, m); out.Already || err != nil {
		return out, errors.Join(err, s.objects.Remove(ctx, s.ownKey(m.Run, draftFile)))
	}
	have := map[string]int64{}
	if resumed {
		for o, err := range s.objects.List(ctx, s.key(m.Run, "")+"/") {
			if err != nil {
				return out, err
			}
			have[strings.TrimPrefix(o.Key, s.key(m.Run, "")+"/")] = o.Size
		}
	}
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for _, e := range m.Files {
		if size, is := have[e.Name]; is && size == e.Size {
			out.Resumed++
			continue
		}
		g.Go(func() error { return s.send(within, dir, m.Run, e) })
	}
	if err := g.Wait(); err != nil {
		return out, fmt.Errorf("%w; what is there is invisible: repeat the push to go on", err)
	}
	return out, s.publish(ctx, m, guarded)
}

// there reports whether the run is in the store already; other files under its name are an error.
func (s *Store) there(ctx context.Context, m manifest) (bool, error) {
	is, err := s.read(ctx, m.Run, manifestFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !is.same(m):
		return false, errTaken
	}
	return true, nil
}

var errTaken = taken{}

type taken struct{}

func (taken) Error() string {
	return "another run of this name is there, and runs are never replaced: rename the directory, or remove that run (unpark store rm)"
}
func (taken) Unwrap() error { return fs.ErrExist }

// claim writes the draft. Guarded says that the server keeps what is there when it is asked to; resumed, that the draft of the same
// files was there.
func (s *Store) claim(ctx context.Context, m manifest) (guarded, resumed bool, err error) {
	m.Pushed = s.now().UTC()
	key := s.ownKey(m.Run, draftFile)
	old, err := s.read(ctx, m.Run, draftFile)
	switch {
	case err == nil && old.same(m):
		resumed = true
	case err == nil && s.now().Sub(old.Pushed) < abandoned:
		return false, false, fmt.Errorf("an upload of other files under this name began at %s and has not ended: wait for it, or end it with unpark store clean --all %s",
			old.Pushed.Format("2006-01-02 15:04 MST"), s.at)
	case err == nil:
		if err := s.clear(ctx, old); err != nil {
			return false, false, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return false, false, fmt.Errorf("its draft: %w", err)
	}
	put := func(c Condition) error {
		draft, err := m.encode()
		if err != nil {
			return err
		}
		return s.objects.Put(ctx, key, draft, c)
	}
	if !resumed {
		switch err := put(Absent); {
		case errors.Is(err, errors.ErrUnsupported):
			return false, false, put(Always)
		case errors.Is(err, fs.ErrExist):
			// Ours, where the answer to it was lost and it was sent again.
			if there, err := s.read(ctx, m.Run, draftFile); err == nil && there.same(m) {
				return true, false, nil
			}
			return false, false, errors.New("another upload under this name has just begun: wait for it")
		case err != nil:
			return false, false, err
		}
	}
	// It is there now. A server that writes it again does not keep what it is asked to keep.
	switch err := put(Absent); {
	case errors.Is(err, fs.ErrExist):
		return true, resumed, nil
	case err == nil || errors.Is(err, errors.ErrUnsupported):
		return false, resumed, nil
	default:
		return false, resumed, err
	}
}

// send uploads one file. One that is not what was summed is an error: the run is still being written.
func (s *Store) send(ctx context.Context, dir, run string, e entry) error {
	f, err := store.File(dir, e.Name)
	if err != nil {
		return err
	}
	defer f.Close()
	before, err := f.Stat()
	if err == nil && before.Size() != e.Size {
		err = fmt.Errorf("%s changes: push the run when it has ended", escape.Line(e.Name))
	}
	if err != nil {
		return err
	}
	// The client must not close the file or look for more than is asked of it.
	if err := s.objects.Put(ctx, s.key(run, e.Name), Body{io.NewSectionReader(f, 0, e.Size), e.Size}, Always); err != nil {
		return fmt.Errorf("%s: %w", escape.Line(e.Name), err)
	}
	after, err := os.Stat(filepath.Join(dir, filepath.FromSlash(e.Name)))
	if err != nil || !after.ModTime().Equal(before.ModTime()) || after.Size() != before.Size() {
		return fmt.Errorf("%s changed while it was sent: push the run when it has ended", escape.Line(e.Name))
	}
	return nil
}

// publish makes a run visible.
func (s *Store) publish(ctx context.Context, m manifest, guarded bool) error {
	m.Pushed = s.now().UTC()
	text, err := m.encode()
	if err != nil {
		return err
	}
	condition := Absent
	if !guarded {
		condition = Always
		if _, err := s.read(ctx, m.Run, manifestFile); err == nil {
			condition = Absent // it came meanwhile: what it says is looked at below
		}
	}
	if condition == Absent && !guarded {
		err = fs.ErrExist
	} else {
		err = s.objects.Put(ctx, s.ownKey(m.Run, manifestFile), text, condition)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("its manifest: %w; what is there is invisible: repeat the push to go on", err)
	}
	if err != nil || !guarded {
		there, err := s.read(ctx, m.Run, manifestFile)
		if err != nil {
			return fmt.Errorf("its manifest: %w", err)
		}
		if !there.same(m) {
			return errTaken
		}
	}
	if err := s.objects.Remove(ctx, s.ownKey(m.Run, draftFile)); err != nil {
		return fmt.Errorf("it is kept, but its draft could not be removed: %w: unpark store clean %s", err, s.at)
	}
	return nil
}
