package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/ab"
	"github.com/unpark-go/unpark/internal/bench"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/check"
	"github.com/unpark-go/unpark/internal/store"
	"github.com/unpark-go/unpark/internal/store/bucket"
)

// openSubject opens the run and its baselines; of the result of unpark ab the
// profiled runs of both arms, and the rounds.
func openSubject(ctx context.Context, dir string, baselines []string, b unpark.Budget) (check.Subject, error) {
	open := func(dir string) (unpark.Run, error) {
		run, _, err := store.Open(dir)
		return run, err
	}
	// Waiters at a site are read from the profiles.
	if slices.ContainsFunc(b.Bounds, func(b unpark.Bound) bool { return b.Metric == "waiters" }) {
		open = func(dir string) (unpark.Run, error) {
			outcome, err := investigate.Open(dir)
			return outcome.Run, err
		}
	}
	s := check.Subject{Name: dir}
	dir, err := local(ctx, dir, bucket.Profiles)
	if err == nil {
		baselines, err = locals(ctx, baselines, bucket.Profiles)
	}
	if err != nil {
		return s, err
	}
	rounds, err := openRounds(dir)
	if err != nil {
		return s, err
	}
	if rounds != nil {
		if len(baselines) > 0 {
			return s, usage("%s is the result of unpark ab and has its own baseline: leave --baseline out", dir)
		}
		s.Rounds, baselines, dir = rounds, []string{filepath.Join(dir, "before")}, filepath.Join(dir, "after")
	}
	if s.Run, err = open(dir); err != nil {
		return s, err
	}
	for _, name := range baselines {
		run, err := open(name)
		if err != nil {
			return s, fmt.Errorf("baseline: %w", err)
		}
		s.Baselines, s.Names = append(s.Baselines, run), append(s.Names, name)
	}
	return s, nil
}

// maxComparison bounds what is read of an ab.json or bench.json.
const maxComparison = 64 << 20

// openRounds reads the comparison in a directory that unpark ab wrote; nil in any
// other.
func openRounds(dir string) (*unpark.Comparison, error) {
	return compared(dir, ab.File, unpark.SchemaAB, func(c unpark.Comparison) string { return c.Schema })
}

// openBenchmarks is openRounds for unpark ab --bench.
func openBenchmarks(dir string) (*unpark.Benchmarks, error) {
	return compared(dir, bench.File, unpark.SchemaBench, func(b unpark.Benchmarks) string { return b.Schema })
}

// compared reads a document of a verdict; nil where the directory has none.
func compared[D any](dir, file, schema string, schemaOf func(D) string) (*D, error) {
	name := filepath.Join(dir, file)
	f, err := store.File(dir, file)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // a run: opening that says what is wrong
	}
	defer f.Close()
	var d D
	if err := json.NewDecoder(io.LimitReader(f, maxComparison)).Decode(&d); err != nil {
		return nil, fmt.Errorf("read %s: %w: repeat the command that made it", name, err)
	}
	if got := schemaOf(d); got != schema {
		return nil, fmt.Errorf("read %s: schema %q is not known to this unpark, which reads %s: use the version that wrote it", name, got, schema)
	}
	return &d, nil
}

// placesOf says how file names of the build become names below root, where it is
// empty the nearest folder with .git. What cannot be found out stays empty: names
// are then written as the build has them.
func placesOf(root, module string) check.Places {
	p := check.Places{Module: module}
	here, err := os.Getwd()
	if err != nil {
		return p
	}
	if root == "" {
		root = above(here, ".git")
	} else if abs, err := filepath.Abs(root); err == nil {
		root = abs
	}
	mod := above(here, "go.mod")
	named := moduleIn(filepath.Join(mod, "go.mod"))
	if root == "" {
		root = mod
	}
	if p.Module == "" {
		p.Module = named
	}
	if root != "" {
		p.Root = filepath.ToSlash(root)
	}
	if rel, err := filepath.Rel(root, mod); err == nil && mod != "" && p.Module == named && filepath.IsLocal(rel) && rel != "." {
		p.Prefix = filepath.ToSlash(rel)
	}
	return p
}

// above returns the nearest folder, from dir upwards, that has an entry; "" when
// there is none.
func above(dir, entry string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, entry)); err == nil {
			return dir
		} else if !errors.Is(err, fs.ErrNotExist) {
			return ""
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// moduleIn returns the module that a go.mod names; "" when it does not.
func moduleIn(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) < 2 || words[0] != "module" {
			continue
		}
		if plain, err := strconv.Unquote(words[1]); err == nil {
			return plain
		}
		return words[1]
	}
	return ""
}
