package ab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/judge/functions"
	"github.com/unpark-go/unpark/internal/report"
)

// The files of an experiment, beside the folders of the profiled runs. A folder
// without the comparison is of one that was killed.
const (
	File       = "ab.json"         // the comparison document
	roundsFile = "rounds.jsonl"    // every sample, in the order of time
	costsFile  = "functions.jsonl" // what functions cost in each
)

// costsLine is one line of functions.jsonl: the functions of one arm in one round.
type costsLine struct {
	Round     int             `json:"round"`
	Identical bool            `json:"identical"`
	Role      string          `json:"role"`
	Attempt   int             `json:"attempt"`
	Costs     functions.Costs `json:"costs"`
}

// sampleLine is one line of rounds.jsonl: one arm in one round.
type sampleLine struct {
	Round      int             `json:"round"`
	Identical  bool            `json:"identical"`   // a round of the arm before against itself
	Arm        string          `json:"arm"`         // what ran
	Role       string          `json:"role"`        // for which of the two it stands
	AfterFirst bool            `json:"after_first"` // the order in the round
	Attempt    int             `json:"attempt"`     // 2 when the round was repeated
	Seed       uint64          `json:"seed"`        // of the order
	Started    time.Time       `json:"started"`
	Sample     compare.Sample  `json:"sample"` // by metric, in base units; null without one
	Void       []unpark.Notice `json:"void,omitempty"`
	Error      string          `json:"error,omitempty"`
}

// folder is the directory of an experiment.
type folder struct {
	dir    string
	rounds *os.File
	lines  *os.File // of costsFile; nil before the first
}

// newFolder makes the directory, which must not exist.
func newFolder(dir string) (*folder, error) {
	fail := func(err error) (*folder, error) {
		cure := "choose an --out that you may write to"
		if errors.Is(err, fs.ErrExist) {
			cure = "choose another --out, or remove it"
		}
		var inner *fs.PathError
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return nil, fmt.Errorf("create the directory %s: %w: %s", dir, err, cure)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return fail(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fail(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, roundsFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fail(err)
	}
	return &folder{dir: dir, rounds: f}, nil
}

func (o *folder) path(name string) string { return filepath.Join(o.dir, name) }

// sample appends one line.
func (o *folder) sample(s sampleLine) error {
	if err := json.NewEncoder(o.rounds).Encode(s); err != nil {
		return fmt.Errorf("write %s: %w: free some space on the disk", o.path(roundsFile), err)
	}
	return nil
}

// costs appends one line to the file of functions, which is there once something was profiled.
func (o *folder) costs(c costsLine) error {
	var err error
	if o.lines == nil {
		o.lines, err = os.OpenFile(o.path(costsFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	}
	if err == nil {
		err = json.NewEncoder(o.lines).Encode(c)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w: free some space on the disk", o.path(costsFile), err)
	}
	return nil
}

// close closes the files of rounds.
func (o *folder) close() {
	_ = o.rounds.Close()
	if o.lines != nil {
		_ = o.lines.Close()
	}
}

// write makes a file that is whole or not there.
func (o *folder) write(name string, print func(io.Writer) error) error {
	temporary := o.path(name + ".tmp")
	f, err := os.OpenFile(temporary, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err == nil {
		err = errors.Join(print(f), f.Sync(), f.Close())
	}
	if err == nil {
		err = os.Rename(temporary, o.path(name))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", o.path(name), err), os.Remove(temporary))
	}
	return nil
}

// conclude judges the rounds that there are and writes the result. cause is why
// the experiment ended early, nil when it did not.
func (e *experiment) conclude(cause error) (Outcome, error) {
	defer e.out.close()
	before, after := e.profiled[0].Run, e.profiled[1].Run
	e.leftOut()
	c := compare.Rounds(e.pairs, e.identical, before, after, e.c.Options)
	e.functions(&c)
	if cause != nil {
		e.warn("ended-early", fmt.Sprintf("the experiment ended after %s: %v", counted(len(e.pairs)), cause), "repeat it for the rounds that are missing")
	}
	c.Warnings = append(e.warnings, c.Warnings...)
	out := Outcome{Comparison: c, Before: e.profiled[0], After: e.profiled[1], Trials: e.trials, Dir: e.out.dir}
	if len(e.pairs) == 0 {
		out.Void = e.void
		if len(e.trials) == 0 && before.ID == "" && after.ID == "" {
			if cause == nil {
				cause = fmt.Errorf("not one round fits into the budget of %v, each takes about %v: give it more: --budget", e.c.Budget, e.oneRound().Round(time.Second))
			}
			return Outcome{}, errors.Join(cause, os.RemoveAll(e.out.dir))
		}
	}
	page := report.ComparisonPage{
		Comparison: c, Before: title(e.c.Before), After: title(e.c.After),
		Plan: e.c.Run.Plan.Redacted(), Rounds: dots(e.trials), Flames: compare.Diff(before, after),
	}
	err := errors.Join(
		e.out.write(File, func(w io.Writer) error { return report.JSON(w, c) }),
		e.out.write(investigate.ReportFile, func(w io.Writer) error { return report.ComparisonHTML(w, page) }),
	)
	if cause != nil {
		err = errors.Join(cause, err)
	}
	return out, err
}

// leftOut warns of rounds that were void twice.
func (e *experiment) leftOut() {
	n := 0
	for _, t := range e.trials {
		if t.LeftOut != "" {
			n++
		}
	}
	if n > 0 {
		e.warn("round-left-out", fmt.Sprintf("of %s %d left out, void twice each, the last because of %s", counted(len(e.trials)), n, e.void), "see its cure; the other rounds count")
	}
}

func counted(rounds int) string { return unpark.Counted(int64(rounds), "round") }

// dots are the rounds that count, as the page draws them.
func dots(trials []Trial) []report.Round {
	var out []report.Round
	for _, t := range trials {
		if t.LeftOut == "" {
			out = append(out, report.Round{Number: t.Round, Identical: t.Identical, Before: t.Before, After: t.After})
		}
	}
	return out
}
