package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/bench"
	"github.com/unpark-go/unpark/internal/report"
)

// The document and the page in their folder, beside before.txt and after.txt.
const (
	File       = "bench.json"
	ReportFile = "report.html"
)

// conclude judges what there is and writes it. cause is why the experiment ended early.
func (e *experiment) conclude(ctx context.Context, cause error) (Outcome, error) {
	for _, f := range e.out.files {
		defer f.Close()
	}
	d := unpark.Benchmarks{
		Schema: unpark.SchemaBench, Before: e.arms[0].title(), After: e.arms[1].title(), Rounds: e.begun,
		Results: bench.Judge(e.pairs, e.c.Options), OnlyBefore: e.only[0], OnlyAfter: e.only[1],
	}
	if cause == nil && e.c.Profile {
		cause = e.functions(ctx, d.Results)
	}
	if cause = interrupted(ctx, cause); cause != nil {
		e.warn("ended-early", fmt.Sprintf("the experiment ended after %s: %v", unpark.Counted(int64(e.begun), "round"), cause), "repeat it for the rounds that are missing")
	}
	if n, few := bench.TooFew(e.begun, e.c.Options); few && len(d.Results) > 0 {
		e.warnings = append(e.warnings, n)
	}
	d.Warnings = append([]unpark.Notice{}, e.warnings...)
	if cause == nil && len(e.failed) > 0 {
		cause = fmt.Errorf("%s failed: %s: the others are compared", unpark.Counted(int64(len(e.failed)), "benchmark"), strings.Join(e.failed, ", "))
		if len(d.Results) == 0 {
			cause = fmt.Errorf("all benchmarks failed: %s: see why above", strings.Join(e.failed, ", "))
		}
	}
	return Outcome{Document: d, Dir: e.out.dir}, errors.Join(cause, e.out.write(d), e.out.page(d, e.measured()))
}

// measured is every round by benchmark, for the page.
func (e *experiment) measured() map[string][]report.Round {
	out := map[string][]report.Round{}
	for id, pairs := range e.pairs {
		for i, p := range pairs {
			if p.Before.Values != nil && p.After.Values != nil {
				out[id.String()] = append(out[id.String()], report.Round{Number: i + 1, Before: p.Before.Values, After: p.After.Values})
			}
		}
	}
	return out
}

// title names a revision for a reader.
func (a *arm) title() string {
	if a.tree == nil {
		return "the working tree"
	}
	return fmt.Sprintf("%s (%.12s)", a.revision, a.tree.Commit)
}

// folder is where results go.
type folder struct {
	dir   string
	files [2]*os.File
}

func newFolder(dir string) (*folder, error) {
	err := os.MkdirAll(filepath.Dir(dir), 0o700)
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("create the directory %s: %w: choose another --out", dir, err)
	}
	out := &folder{dir: dir}
	for i, name := range []string{"before.txt", "after.txt"} {
		if out.files[i], err = os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
			return nil, fmt.Errorf("create %s: %w: choose another --out", name, err)
		}
	}
	return out, nil
}

// write writes the document.
func (o *folder) write(d unpark.Benchmarks) error {
	return o.create(File, func(w io.Writer) error { return report.JSON(w, d) })
}

// page writes what is to be looked at.
func (o *folder) page(d unpark.Benchmarks, rounds map[string][]report.Round) error {
	return o.create(ReportFile, func(w io.Writer) error { return report.BenchmarksHTML(w, d, rounds) })
}

func (o *folder) create(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(filepath.Join(o.dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = errors.Join(write(f), f.Close())
	}
	if err != nil {
		return fmt.Errorf("write %s: %w: free some space on the disk", name, err)
	}
	return nil
}
