package web

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/index"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/report/look"
	"github.com/unpark-go/unpark/internal/store"
)

// experiment shows what came of unpark ab or unpark bisect. The page that is in the folder is not sent: a folder may come from elsewhere,
// and its page would then be a page of this server.
func (s pages) experiment(w *bytes.Buffer, r *http.Request) error {
	row, err := s.row(r, r.PathValue("path"))
	if err != nil {
		return err
	}
	if row.Kind == index.Run {
		return refusal{http.StatusNotFound, fmt.Errorf("%s is a run and no experiment: open it from the list", escape.Line(row.Path))}
	}
	if row.State != index.Whole {
		return refusal{http.StatusUnprocessableEntity, fmt.Errorf("%s: %s", escape.Line(row.Path), escape.Prose(row.Why))}
	}
	if row.Kind == index.Bisect {
		return s.bisection(w, row)
	}
	page := report.ComparisonPage{Links: []look.Link{toList}, Rounds: roundsOf(s.dir(row))}
	if err := s.document(row, abFile, &page.Comparison); err != nil {
		return err
	}
	arms, err := s.arms(r, row)
	if err != nil {
		return err
	}
	if len(arms) == 2 {
		page.Before, page.After = name(arms[0].row), name(arms[1].row)
		page.Plan, page.Flames = arms[0].run.Plan, compare.Diff(arms[0].run, arms[1].run)
		for _, a := range arms {
			page.Links = append(page.Links, look.Link{Text: "profiled run: " + name(a.row), Href: address("run", a.row.Path)})
		}
	}
	return report.ComparisonHTML(w, page)
}

type arm struct {
	row index.Row
	run unpark.Run
}

// arms are the profiled runs of an experiment, in the order in which they were made: before, then after.
func (s pages) arms(r *http.Request, row index.Row) ([]arm, error) {
	rows, err := s.index.Rows(r.Context(), index.Query{})
	if err != nil {
		return nil, err
	}
	var out []arm
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].Parent != row.Path || rows[i].Kind != index.Run {
			continue
		}
		outcome, err := investigate.Open(s.dir(rows[i]))
		if err != nil {
			continue // the experiment has its figures without it
		}
		out = append(out, arm{rows[i], outcome.Run})
	}
	return out, nil
}

// document reads the document of an experiment, which the index could read.
func (s pages) document(row index.Row, name string, into any) error {
	f, err := store.File(s.dir(row), name)
	if err != nil {
		return refusal{http.StatusUnprocessableEntity, err}
	}
	defer f.Close()
	if err := json.NewDecoder(io.LimitReader(f, largestDocument)).Decode(into); err != nil {
		return refusal{http.StatusUnprocessableEntity, fmt.Errorf("read %s: %w: repeat the experiment", escape.Line(row.Path), err)}
	}
	return nil
}

// roundsOf reads the rounds of unpark ab. A line that is none is left out: the document has the verdict.
func roundsOf(dir string) []report.Round {
	f, err := store.File(dir, roundsFile)
	if err != nil {
		return nil
	}
	defer f.Close()
	type line struct {
		Round     int            `json:"round"`
		Identical bool           `json:"identical"`
		Role      string         `json:"role"`
		Attempt   int            `json:"attempt"`
		Sample    compare.Sample `json:"sample"`
	}
	var out []report.Round
	at := map[[2]int]int{}
	lines := bufio.NewScanner(io.LimitReader(f, largestDocument))
	for lines.Scan() {
		var l line
		if json.Unmarshal(lines.Bytes(), &l) != nil || l.Sample == nil {
			continue
		}
		key := [2]int{l.Round, 0}
		if l.Identical {
			key[1] = 1
		}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, report.Round{Number: l.Round, Identical: l.Identical})
		}
		if l.Role == "before" {
			out[i].Before = l.Sample
		} else {
			out[i].After = l.Sample
		}
	}
	return out
}

// bisection shows the text of a bisection.
func (s pages) bisection(w *bytes.Buffer, row index.Row) error {
	var b unpark.Bisection
	if err := s.document(row, "bisect.json", &b); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := report.Text(&text, b); err != nil {
		return err
	}
	return render(w, "text.html.tmpl", map[string]string{"Title": "bisection " + escape.Line(name(row)), "Text": text.String()})
}
