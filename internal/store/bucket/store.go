package bucket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Store is the runs below one prefix of a bucket. Its methods may be called from several goroutines.
type Store struct {
	objects Objects
	at      address
	now     func() time.Time
}

// Open opens the store at s3://bucket/prefix?endpoint=host:port&region=name&insecure. Without an endpoint it is that of
// UNPARK_S3_ENDPOINT, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, else Amazon's. Nothing is sent yet: see [Store.Check].
func Open(text string) (*Store, error) {
	a, err := parse(text)
	if err != nil {
		return nil, err
	}
	return from(a)
}

// OpenRun opens the store that a run is in, by the address of the run, and returns the run's name.
func OpenRun(text string) (*Store, string, error) {
	a, err := parse(text)
	if err != nil {
		return nil, "", err
	}
	above, run := a.parent()
	if run == "" {
		return nil, "", fmt.Errorf("open %s: it names no run: write s3://bucket/prefix/RUN; which there are, unpark store ls %s says", a, a)
	}
	s, err := from(above)
	return s, run, err
}

func from(a address) (*Store, error) {
	o, err := open(a)
	if err != nil {
		return nil, err
	}
	return &Store{o, a, time.Now}, nil
}

// String is the address of the store.
func (s *Store) String() string { return s.at.String() }

// Address is that of a run.
func (s *Store) Address(run string) string { return s.at.run(run) }

func (s *Store) ownKey(run, kind string) string { return path.Join(s.at.prefix, own, run+kind) }
func (s *Store) key(run, name string) string    { return path.Join(s.at.prefix, run, name) }

// Check tells whether the store can be read, before anything is measured that is to be kept there.
func (s *Store) Check(ctx context.Context) error {
	for _, err := range s.objects.List(ctx, path.Join(s.at.prefix, own)+"/") {
		if err != nil {
			return fmt.Errorf("look into %s: %w", s.at, err)
		}
		break
	}
	return nil
}

// Entry is a run of a listing.
type Entry struct {
	Run        string
	Pushed     time.Time // as the server says
	Unfinished bool      // its upload has not ended: it is not visible
	size       int64     // of its manifest
}

// Runs lists the runs that are there and the uploads that have not ended, by name.
func (s *Store) Runs(ctx context.Context) ([]Entry, error) {
	var out []Entry
	whole := map[string]bool{}
	prefix := path.Join(s.at.prefix, own) + "/"
	for o, err := range s.objects.List(ctx, prefix) {
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", s.at, err)
		}
		name := strings.TrimPrefix(o.Key, prefix)
		run, isManifest := strings.CutSuffix(name, manifestFile)
		if !isManifest {
			var isDraft bool
			if run, isDraft = strings.CutSuffix(name, draftFile); !isDraft {
				continue
			}
		}
		if checkRun(run) != nil {
			continue // what else lies there
		}
		whole[run] = whole[run] || isManifest
		out = append(out, Entry{run, o.Modified, !isManifest, o.Size})
	}
	// The draft of a run that is whole is what an upload left that was interrupted at its very end.
	out = slices.DeleteFunc(out, func(e Entry) bool { return e.Unfinished && whole[e.Run] })
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Compare(a.Run, b.Run) })
	return out, nil
}

// Remove removes a run: it is gone at once, by its manifest, and then its files. What an interruption leaves is an upload that has not
// ended, as [Store.Clean] finds it.
func (s *Store) Remove(ctx context.Context, run string) error {
	m, err := s.manifest(ctx, run)
	if err != nil {
		return err
	}
	draft, err := m.encode()
	if err == nil {
		err = s.objects.Put(ctx, s.ownKey(run, draftFile), draft, Always)
	}
	if err == nil {
		err = s.objects.Remove(ctx, s.ownKey(run, manifestFile))
	}
	if err != nil {
		return fmt.Errorf("remove %s: %w", s.at.run(run), err)
	}
	return s.clear(ctx, m)
}

// clear removes the files that a draft names, and the draft last, so that what is left is found again. What else lies there is not ours.
func (s *Store) clear(ctx context.Context, m manifest) error {
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for _, f := range m.Files {
		g.Go(func() error { return s.objects.Remove(within, s.key(m.Run, f.Name)) })
	}
	err := g.Wait()
	if err == nil {
		err = s.objects.Remove(ctx, s.ownKey(m.Run, draftFile))
	}
	if err != nil {
		return fmt.Errorf("remove the files of %s: %w", s.at.run(m.Run), err)
	}
	return nil
}

// Clean removes uploads that began before a moment and have not ended, and returns their names. One that goes on meanwhile and began
// later is left alone.
func (s *Store) Clean(ctx context.Context, before time.Time) ([]string, error) {
	known, err := s.Runs(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range known {
		if !e.Unfinished || !e.Pushed.Before(before) {
			continue
		}
		m, err := s.read(ctx, e.Run, draftFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it has ended
		}
		if err != nil {
			return out, fmt.Errorf("clean %s: its draft: %w", s.at.run(e.Run), err)
		}
		if err := s.clear(ctx, m); err != nil {
			return out, err
		}
		out = append(out, e.Run)
	}
	return out, nil
}

// isDocument reports whether a file is one that lists are made of.
func isDocument(name string) bool {
	switch path.Base(name) {
	case "run.json", "ab.json", "bisect.json", "rounds.jsonl":
		return true
	}
	return false
}
