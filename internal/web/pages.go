package web

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/index"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/report/browse"
	"github.com/unpark-go/unpark/internal/report/look"
)

// pages shows what directories of the index hold.
type pages struct {
	index *index.Index
	from  *source
	drawn *drawn
}

var toList = look.Link{Text: "← all runs", Href: "/"}

// address of a page of a row.
func address(kind, path string) string {
	return (&url.URL{Path: "/" + kind + "/" + path}).EscapedPath()
}

func compareAddress(paths ...string) string {
	return "/compare?" + url.Values{"run": paths}.Encode()
}

// dir is where a row's files are.
func (s pages) dir(row index.Row) string {
	return filepath.Join(s.index.Root(), filepath.FromSlash(row.Path))
}

// row is one that the index has. What it does not have is not opened, whatever path a page asks for.
func (s pages) row(r *http.Request, path string) (index.Row, error) {
	if path != "" {
		rows, err := s.index.Rows(r.Context(), index.Query{Path: path})
		if err != nil {
			return index.Row{}, err
		}
		if i := slices.IndexFunc(rows, func(x index.Row) bool { return x.Path == path }); i >= 0 {
			return rows[i], s.bring(r, rows[i])
		}
	}
	return index.Row{}, refusal{http.StatusNotFound, fmt.Errorf("no run %s is in %s: it was removed or renamed, or has just begun; go back to the list", escape.Line(path), escape.Line(s.index.Root()))}
}

// run shows one run, by the page of its report.
func (s pages) run(w *bytes.Buffer, r *http.Request) error {
	row, err := s.row(r, r.PathValue("path"))
	if err != nil {
		return err
	}
	if row.Kind != index.Run {
		return refusal{http.StatusNotFound, fmt.Errorf("%s is no run but the folder of an experiment: open it from the list", escape.Line(row.Path))}
	}
	outcome, err := investigate.Open(s.dir(row))
	if err != nil {
		return refusal{http.StatusUnprocessableEntity, err}
	}
	links, err := s.beside(r, row, outcome.Run)
	if err != nil {
		return err
	}
	return report.HTML(w, outcome.Run, links...)
}

// beside lists the pages that belong to a run: the runs before and behind it in its series, and the experiments that it is part of.
func (s pages) beside(r *http.Request, row index.Row, run unpark.Run) ([]look.Link, error) {
	links := []look.Link{toList}
	rows, err := s.index.Rows(r.Context(), index.Query{Series: row.Series})
	if err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(rows, func(x index.Row) bool { return x.Path == row.Path }); at >= 0 && row.Series != "" {
		if at+1 < len(rows) { // the newest are first
			before := rows[at+1].Path
			links = append(links, look.Link{Text: "previous run", Href: address("run", before)}, look.Link{Text: "compare with it", Href: compareAddress(before, row.Path)})
		}
		if at > 0 {
			links = append(links, look.Link{Text: "next run", Href: address("run", rows[at-1].Path)})
		}
	}
	if traced(run) {
		links = append(links, look.Link{Text: "slowest requests", Href: address("slowest", row.Path)})
	}
	if row.Parent != "" {
		links = append(links, look.Link{Text: "the experiment that it is part of", Href: address("experiment", row.Parent)})
	}
	return links, nil
}

// traced reports whether there are execution traces of the measured window.
func traced(run unpark.Run) bool {
	w := run.Measured()
	return w != nil && slices.ContainsFunc(w.Profiles, func(p unpark.ProfileFile) bool { return p.Kind == unpark.KindTrace && p.State == unpark.Present })
}

// compare shows two runs side by side, or several in a table. The order is that of time.
func (s pages) compare(w *bytes.Buffer, r *http.Request) error {
	var rows []index.Row
	for _, p := range r.URL.Query()["run"] {
		row, err := s.row(r, p)
		if err != nil {
			return err
		}
		if row.Kind != index.Run {
			return refusal{http.StatusBadRequest, fmt.Errorf("compare %s: it is the folder of an experiment, which has a comparison of its own: open it from the list", escape.Line(p))}
		}
		if !slices.ContainsFunc(rows, func(x index.Row) bool { return x.Path == row.Path }) {
			rows = append(rows, row)
		}
	}
	if len(rows) < 2 || len(rows) > mostCompared {
		return refusal{http.StatusBadRequest, fmt.Errorf("compare %s: choose 2 to %d in the list", unpark.Counted(int64(len(rows)), "run"), mostCompared)}
	}
	slices.SortStableFunc(rows, func(a, b index.Row) int { return a.Started.Compare(b.Started) })
	runs := make([]unpark.Run, len(rows))
	for i, row := range rows {
		outcome, err := investigate.Open(s.dir(row))
		if err != nil {
			return refusal{http.StatusUnprocessableEntity, err}
		}
		runs[i] = outcome.Run
	}
	if len(rows) > 2 {
		return browse.Several(w, sides(rows, runs))
	}
	page := report.ComparisonPage{Comparison: compare.Runs(runs[0], runs[1]), Before: name(rows[0]), After: name(rows[1]), Plan: runs[0].Plan}
	if len(page.Comparison.Refused) == 0 {
		page.Flames = compare.Diff(runs[0], runs[1])
	}
	var err error
	page.Links, err = s.proofs(r, rows)
	if err != nil {
		return err
	}
	return report.ComparisonHTML(w, page)
}

// sides holds each run against the first.
func sides(rows []index.Row, runs []unpark.Run) []browse.Side {
	var out []browse.Side
	for i, row := range rows {
		side := browse.Side{
			Name: name(row), Href: address("run", row.Path), At: row.Started, Load: row.Load, Limit: row.Limit, Why: row.Why,
			Against: compare.Runs(runs[0], runs[i]),
		}
		if len(row.Findings) > 0 {
			side.Finding = row.Findings[0].Title
		}
		out = append(out, side)
	}
	return out
}

func name(row index.Row) string { return path.Base(row.Path) }

// proofs lists the experiments that a comparison of two runs rests on, or could: those of the same service.
func (s pages) proofs(r *http.Request, rows []index.Row) ([]look.Link, error) {
	links := []look.Link{toList}
	for _, row := range rows {
		links = append(links, look.Link{Text: name(row), Href: address("run", row.Path)})
	}
	same, err := s.index.Rows(r.Context(), index.Query{Service: rows[0].Service})
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{"": true}
	for _, row := range same {
		if !seen[row.Parent] && len(seen) < 4 {
			seen[row.Parent] = true
			links = append(links, look.Link{Text: "proof in rounds: " + path.Base(row.Parent), Href: address("experiment", row.Parent)})
		}
	}
	return links, nil
}
