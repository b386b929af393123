package mcp

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/prove"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/store"
)

type findingInput struct {
	Run     string `json:"run,omitempty" jsonschema:"id of a run (the newest)"`
	Finding int    `json:"finding,omitempty" jsonschema:"rank of the finding, from 1 (1)"`
	Page    int    `json:"page,omitempty" jsonschema:"from 1"`
}

// drill tells all that is known of one finding.
func (s *Server) drill(_ context.Context, in findingInput, _ func(string)) (text, error) {
	dir, err := s.runDir(in.Run)
	if err != nil {
		return text{}, err
	}
	outcome, err := investigate.Open(dir)
	if err != nil {
		return text{}, err
	}
	f, err := findingOf(outcome.Run, in.Finding)
	if err != nil {
		return text{}, err
	}
	var b strings.Builder
	if err := report.Finding(&b, outcome.Run, f, ""); err != nil {
		return text{}, err
	}
	b.WriteString(sandwichOf(outcome.FlamesOf(f.Service), f))
	b.WriteString(s.sources(f))
	return said("%s", strings.TrimRight(b.String(), "\n")).of(in.Page), nil
}

type predictInput struct {
	Run     string `json:"run,omitempty" jsonschema:"id of a run (the newest)"`
	Finding int    `json:"finding,omitempty" jsonschema:"rank of the finding, from 1 (1)"`
	Fix     string `json:"fix,omitempty" jsonschema:"gone, alone, together, halved, sharded-8 or rwmutex (what the first remedy does)"`
}

// predict tells what a fix of one finding would do.
func (s *Server) predict(_ context.Context, in predictInput, _ func(string)) (text, error) {
	fix := unpark.Fix(in.Fix)
	switch fix {
	case "", unpark.FixGone, unpark.FixAlone, unpark.FixTogether, unpark.FixHalved, unpark.FixSharded, unpark.FixRWMutex:
	default:
		return text{}, fmt.Errorf("fix %q: write %s, %s, %s, %s, %s or %s", in.Fix, unpark.FixGone, unpark.FixAlone, unpark.FixTogether, unpark.FixHalved, unpark.FixSharded, unpark.FixRWMutex)
	}
	dir, err := s.runDir(in.Run)
	if err != nil {
		return text{}, err
	}
	run, _, err := store.Open(dir)
	if err != nil {
		return text{}, err
	}
	f, err := findingOf(run, in.Finding)
	if err != nil {
		return text{}, err
	}
	if fix == "" {
		fix = cmp.Or(f.Prediction.Fix, unpark.FixGone)
	}
	var b strings.Builder
	err = report.Finding(&b, run, f, fix)
	return said("%s", strings.TrimRight(b.String(), "\n")), err
}

// findingOf is the finding of a rank; costs that no finding tells of come after the findings.
func findingOf(run unpark.Run, rank int) (unpark.Finding, error) {
	all := slices.Concat(run.Findings, run.Costs)
	rank = max(rank, 1)
	switch {
	case run.IsVoid():
		return unpark.Finding{}, fmt.Errorf("run %s is void: %s: %s", run.ID, run.Void[0].Message, run.Void[0].Cure)
	case len(all) == 0:
		return unpark.Finding{}, fmt.Errorf("run %s has no finding: its limit is %s: %s", run.ID, run.Limit.Kind, run.Limit.Why)
	case rank > len(all):
		return unpark.Finding{}, fmt.Errorf("run %s has no finding %d: the last is %d", run.ID, rank, len(all))
	}
	return all[rank-1], nil
}

// runDir is the folder of a run by its id; empty: of the newest.
func (s *Server) runDir(id string) (string, error) {
	if id == "" {
		for _, name := range s.newest() {
			if _, err := os.Stat(filepath.Join(s.c.runs(), name, "run.json")); err == nil {
				return filepath.Join(s.c.runs(), name), nil
			}
		}
		return "", errors.New("there is no run yet: start one with find")
	}
	if !filepath.IsLocal(id) || strings.ContainsAny(id, `/\`) {
		return "", fmt.Errorf("run %q is no id: history lists them", id)
	}
	dir := filepath.Join(s.c.runs(), id)
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("there is no run %q: history lists them", id)
	}
	return dir, nil
}

// newest are the names of the folders of runs, the newest first.
func (s *Server) newest() []string {
	entries, err := os.ReadDir(s.c.runs())
	if err != nil {
		return nil
	}
	type folder struct {
		name string
		at   time.Time
	}
	var all []folder
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() {
			all = append(all, folder{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b folder) int { return cmp.Or(b.at.Compare(a.at), strings.Compare(b.name, a.name)) })
	out := make([]string, 0, mostRuns)
	for _, f := range all[:min(mostRuns, len(all))] {
		out = append(out, f.name)
	}
	return out
}

type historyInput struct {
	Page int `json:"page,omitempty" jsonschema:"from 1"`
}

// history lists runs and proofs.
func (s *Server) history(_ context.Context, in historyInput, _ func(string)) (text, error) {
	rows := [][]string{{"id", "kind", "started", "verdict", "req/s", "p99 ms", "first finding"}}
	for _, name := range s.newest() {
		dir := filepath.Join(s.c.runs(), name)
		if proof, err := prove.Read(dir); err == nil {
			rows = append(rows, []string{name, "proof", proof.Started.Format(time.RFC3339), proof.Verdict, "", "", proof.Why})
			continue
		}
		run, _, err := store.Open(dir)
		if err != nil {
			continue // not a run: an experiment, or a folder of someone else
		}
		rows = append(rows, rowOf(name, run))
	}
	if len(rows) == 1 {
		return said("no run yet in %s: start one with find", escape.Line(s.c.runs())), nil
	}
	return said("%s", tableOf(rows)).of(in.Page), nil
}

// rowOf is a run as a row of the history.
func rowOf(name string, run unpark.Run) []string {
	verdict, rate, p99, first := string(run.Limit.Kind), "", "", ""
	switch {
	case run.IsVoid():
		verdict = "void"
	case run.Partial != "":
		verdict = "partial"
	}
	if w := run.Measured(); w != nil && w.Load != nil {
		rate = strconv.FormatFloat(w.Load.AchievedRPS, 'g', 4, 64)
		if w.Load.Response.N > 0 {
			p99 = strconv.FormatFloat(1000*w.Load.Response.P99, 'g', 4, 64)
		}
	}
	if len(run.Findings) > 0 {
		first = string(run.Findings[0].Class) + ": " + run.Findings[0].Title
	}
	started := "" // a run that was stopped before it wrote anything down has none
	if !run.Started.IsZero() {
		started = run.Started.Format(time.RFC3339)
	}
	return []string{name, "run", started, verdict, rate, p99, first}
}

// tableOf is rows as CSV, with nothing in them that a terminal obeys.
func tableOf(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range rows {
		for i := range row {
			row[i] = escape.Prose(row[i])
		}
		_ = w.Write(row) // a builder does not fail
	}
	w.Flush()
	return strings.TrimRight(b.String(), "\n")
}
