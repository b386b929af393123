package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/unpark-go/unpark/internal/store/bucket"
)

// local is the directory of a run that may be in a store: what is needed of it is brought into the user's cache.
func local(ctx context.Context, name string, p bucket.Part) (string, error) {
	if !bucket.Is(name) {
		return name, nil
	}
	st, run, err := bucket.OpenRun(name)
	if err != nil {
		return "", err
	}
	m, err := st.Mirror()
	if err != nil {
		return "", err
	}
	return m.Fetch(ctx, run, p)
}

// locals is local for each of several names.
func locals(ctx context.Context, names []string, p bucket.Part) ([]string, error) {
	out := make([]string, len(names))
	for i, name := range names {
		var err error
		if out[i], err = local(ctx, name, p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// keeping is the store of --store, which has been looked into: what is wrong with it is told before anything is measured.
// It is nil without one.
func keeping(ctx context.Context, address string) (*bucket.Store, error) {
	if address == "" {
		return nil, nil //nolint:nilnil // none was asked for
	}
	if !bucket.Is(address) {
		return nil, usage("--store %s: name a bucket, as s3://bucket/prefix; a directory is named by --out", address)
	}
	st, err := bucket.Open(address)
	if err != nil {
		return nil, usage("%w", err)
	}
	return st, st.Check(ctx)
}

// keepIn pushes a run that has ended, also when Ctrl-C ended it: a second one ends the push. The directory stays, so nothing is lost
// when it fails.
func keepIn(ctx context.Context, s streams, st *bucket.Store, dir string) error {
	if st == nil || dir == "" {
		return nil
	}
	p, err := st.Push(context.WithoutCancel(ctx), dir)
	if err != nil {
		if _, gone := os.Stat(dir); gone != nil {
			return errors.Join(err, gone)
		}
		return fmt.Errorf("%w\nunpark: the run is whole in %s: unpark store push %s %s", err, dir, dir, st)
	}
	tellPushed(s, st, p)
	return nil
}
