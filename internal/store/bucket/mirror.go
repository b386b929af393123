package bucket

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Mirror is a folder of runs, as unpark run makes one, that has of each run of a store its documents, and of those that were opened what
// that took. It can be removed at any time.
type Mirror struct {
	Root  string
	store *Store

	mu      sync.Mutex
	known   map[string]cached // by run; read from Root when first needed
	trimmed time.Time
}

// cached is what a mirror keeps of a run beside its files.
type cached struct {
	Modified time.Time `json:"modified"` // of the manifest, as the server says
	Size     int64     `json:"size"`
	Manifest manifest  `json:"manifest"`
}

// Mirror is that of the store in the user's cache.
func (s *Store) Mirror() (*Mirror, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("find the user's cache for runs of %s: %w: set XDG_CACHE_HOME", s.at, err)
	}
	name := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s", s.at.server, s.at.bucket, s.at.prefix))
	root := filepath.Join(cache, "unpark", "store-"+hex.EncodeToString(name[:8]))
	if err := os.MkdirAll(filepath.Join(root, own), 0o700); err != nil {
		return nil, fmt.Errorf("keep runs of %s in the user's cache: %w", s.at, err)
	}
	return &Mirror{Root: root, store: s}, nil
}

// Sync brings the documents of all runs. tell, which may be nil, is called with how many of how many there are. A run that cannot be
// read costs itself: the error then says how many those were, and the others are there.
func (m *Mirror) Sync(ctx context.Context, tell func(done, of int)) error {
	list, err := m.store.Runs(ctx)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(e Entry) bool { return e.Unfinished })
	there := map[string]bool{}
	var fresh []Entry
	for _, e := range list {
		there[e.Run] = true
		if c, is := m.kept(e.Run); !is || !c.Modified.Equal(e.Pushed) || c.Size != e.size {
			fresh = append(fresh, e)
		}
	}
	if err := m.forget(there); err != nil {
		return err
	}
	var mu sync.Mutex
	var bad []error
	done := 0
	var g errgroup.Group
	g.SetLimit(parallel)
	for _, e := range fresh {
		g.Go(func() error {
			err := m.documents(ctx, e)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				bad = append(bad, err)
			}
			if done++; tell != nil {
				tell(done, len(fresh))
			}
			return nil
		})
	}
	_ = g.Wait() // errors are in bad
	if len(bad) > 0 && ctx.Err() == nil {
		return fmt.Errorf("%d of %d runs of %s could not be read, the first: %w", len(bad), len(list), m.store, bad[0])
	}
	return ctx.Err()
}

// documents brings those of one run.
func (m *Mirror) documents(ctx context.Context, e Entry) error {
	got, err := m.store.manifest(ctx, e.Run)
	if err != nil {
		return err
	}
	var files []entry
	for _, f := range got.Files {
		if isDocument(f.Name) && f.Size <= maxDocument {
			files = append(files, f)
		}
	}
	// What is there may be of another run that had this name.
	if was, is := m.kept(e.Run); !is || !was.Manifest.same(got) {
		if err := os.RemoveAll(filepath.Join(m.Root, e.Run)); err != nil {
			return err
		}
	}
	if err := m.store.fetch(ctx, got, files, filepath.Join(m.Root, e.Run)); err != nil {
		return fmt.Errorf("%s: %w", m.store.Address(e.Run), err)
	}
	return m.keep(e.Run, cached{e.Pushed, e.size, got})
}

// Part says which files of a run are needed.
type Part int

// The parts of a run.
const (
	Profiles Part = iota // all but execution traces
	All
)

func (p Part) has(name string) bool {
	base := filepath.Base(name)
	return p == All || !strings.HasPrefix(base, "trace") || !strings.HasSuffix(base, ".out")
}

// Fetch brings a part of a run and returns its directory. What was brought before is not asked for again.
func (m *Mirror) Fetch(ctx context.Context, run string, p Part) (string, error) {
	got, err := m.store.manifest(ctx, run)
	if err != nil {
		return "", err
	}
	c, is := m.kept(run)
	if !is || !c.Manifest.same(got) { // removed, and another pushed under its name
		if err := os.RemoveAll(filepath.Join(m.Root, run)); err != nil {
			return "", err
		}
		c = cached{Manifest: got}
		if err := m.keep(run, c); err != nil {
			return "", err
		}
	}
	dir := filepath.Join(m.Root, run)
	files := slices.DeleteFunc(slices.Clone(c.Manifest.Files), func(e entry) bool { return !p.has(e.Name) })
	if err := m.store.fetch(ctx, c.Manifest, files, dir); err != nil {
		return "", fmt.Errorf("open %s: %w", m.store.Address(run), err)
	}
	now := time.Now()
	_ = os.Chtimes(m.note(run), now, now) // when it was opened, for trim
	return dir, m.trim(run, room)
}

func (m *Mirror) note(run string) string { return filepath.Join(m.Root, own, run+manifestFile) }

// kept is what the mirror has of a run.
func (m *Mirror) kept(run string) (cached, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, is := m.known[run]; is {
		return c, true
	}
	text, err := os.ReadFile(m.note(run))
	if err != nil {
		return cached{}, false
	}
	var c cached
	if json.Unmarshal(text, &c) != nil || c.Manifest.check(run) != nil {
		return cached{}, false // it is brought again
	}
	m.remember(run, c)
	return c, true
}

func (m *Mirror) remember(run string, c cached) {
	if m.known == nil {
		m.known = map[string]cached{}
	}
	m.known[run] = c
}

func (m *Mirror) keep(run string, c cached) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := os.WriteFile(m.note(run)+".new", text, 0o600); err != nil {
		return err
	}
	m.remember(run, c)
	return os.Rename(m.note(run)+".new", m.note(run))
}

// forget removes what is no longer in the store.
func (m *Mirror) forget(there map[string]bool) error {
	notes, err := os.ReadDir(filepath.Join(m.Root, own))
	if err != nil {
		return err
	}
	for _, n := range notes {
		run, is := strings.CutSuffix(n.Name(), manifestFile)
		if !is || there[run] || checkRun(run) != nil {
			continue
		}
		m.mu.Lock()
		delete(m.known, run)
		m.mu.Unlock()
		if err := errors.Join(os.RemoveAll(filepath.Join(m.Root, run)), os.Remove(m.note(run))); err != nil {
			return err
		}
	}
	return nil
}

// trim removes profiles and traces of the runs that were opened longest ago while there is more than most. The run that is in use
// and the documents stay.
func (m *Mirror) trim(inUse string, most int64) error {
	notes, err := os.ReadDir(filepath.Join(m.Root, own))
	if err != nil {
		return err
	}
	for _, n := range notes {
		if run, is := strings.CutSuffix(n.Name(), manifestFile); is && checkRun(run) == nil {
			m.kept(run)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.trimmed) < time.Minute {
		return nil
	}
	m.trimmed = time.Now()
	type part struct {
		run    string
		opened time.Time
		files  []string
		size   int64
	}
	var parts []part
	var total int64
	for run := range m.known {
		p := part{run: run}
		if info, err := os.Stat(m.note(run)); err == nil {
			p.opened = info.ModTime()
		}
		for _, e := range m.known[run].Manifest.Files {
			name := filepath.Join(m.Root, run, filepath.FromSlash(e.Name))
			if info, err := os.Lstat(name); err == nil && !isDocument(e.Name) {
				p.files, p.size = append(p.files, name), p.size+info.Size()
			}
		}
		total += p.size
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Or(a.opened.Compare(b.opened), cmp.Compare(a.run, b.run)) })
	for _, p := range parts {
		if total <= most {
			return nil
		}
		if p.run == inUse {
			continue
		}
		for _, name := range p.files {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		total -= p.size
	}
	return nil
}
