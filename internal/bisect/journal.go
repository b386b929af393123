package bisect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/report"
)

// The files of a search. A folder without the document is of one that was killed; its journal goes on.
const (
	File        = "bisect.json"  // the document
	journalFile = "rounds.jsonl" // what is searched, then every round, in the order of time
)

// entry is one line of the journal.
type entry struct {
	Search  *searched      `json:"search,omitempty"` // the first line
	Commit  string         `json:"commit,omitempty"`
	Started time.Time      `json:"started,omitzero"`
	Good    compare.Sample `json:"good,omitempty"` // by metric, in base units
	Sample  compare.Sample `json:"sample,omitempty"`
	Broken  string         `json:"broken,omitempty"` // why the commit cannot be measured
	Changed *changed       `json:"changed,omitempty"`
}

// searched is what rounds must have in common to be of one search.
type searched struct {
	Good      string   `json:"good"`
	Bad       string   `json:"bad"`
	Package   string   `json:"package"`
	Arguments []string `json:"arguments,omitempty"`
	Metric    string   `json:"metric"`
	Plan      string   `json:"plan"`
}

// journal is the file while it is written.
type journal struct {
	file *os.File
	dir  string
}

// open reads the history, and begins a journal or goes on with the one that is there.
func (s *search) open(ctx context.Context) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	plan, err := json.Marshal(s.c.Run.Plan.Redacted())
	if err != nil {
		return fmt.Errorf("write down the plan: %w", err)
	}
	about := searched{s.good, s.bad, s.c.Package, unpark.RedactCommand(s.c.Arguments), s.c.Metric, string(plan)}
	name := filepath.Join(s.c.Dir, journalFile)
	before, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, exists := os.Stat(s.c.Dir); exists == nil {
			return fmt.Errorf("begin a search in %s: it exists and holds none: choose another --out", s.c.Dir)
		}
		if err := os.MkdirAll(s.c.Dir, 0o700); err != nil {
			return fmt.Errorf("create %s: %w: choose an --out that you may write to", s.c.Dir, err)
		}
	case err != nil:
		return fmt.Errorf("go on with the search in %s: %w", s.c.Dir, err)
	default:
		if err := s.resume(before, about); err != nil {
			return fmt.Errorf("go on with the search in %s: %w", s.c.Dir, err)
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("write the journal: %w: choose an --out that you may write to", err)
	}
	s.journal = &journal{f, s.c.Dir}
	if len(before) > 0 {
		return nil
	}
	return s.journal.write(entry{Search: &about})
}

// resume takes in the rounds of a journal. A last line that was cut off by a kill is left out.
func (s *search) resume(text []byte, about searched) error {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	for i, line := range lines {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			if i == len(lines)-1 && i > 0 {
				break
			}
			return fmt.Errorf("line %d of %s: %w: choose another --out", i+1, journalFile, err)
		}
		switch {
		case i == 0:
			if e.Search == nil || !about.equal(*e.Search) {
				return errors.New("it is of another search (commits, package, arguments, metric or load differ): choose another --out")
			}
		case e.Changed != nil:
			s.changed = e.Changed
		case e.Broken != "":
			s.earlier = append(s.earlier, e)
		case e.Sample != nil:
			s.earlier = append(s.earlier, e)
		}
	}
	s.say(fmt.Sprintf("goes on with %s in %s", counted(len(s.earlier)), s.c.Dir))
	return nil
}

func (a searched) equal(b searched) bool {
	x, _ := json.Marshal(a) // strings alone
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// replay takes in what an earlier search measured, when the candidates are known.
func (s *search) replay() {
	for _, e := range s.earlier {
		at := s.history.candidate(e.Commit)
		switch {
		case at == 0:
		case e.Broken != "":
			s.broken[at] = e.Broken
		default:
			s.rounds = append(s.rounds, round{at, compare.Pair{Before: e.Good, After: e.Sample}})
		}
	}
	s.earlier = nil
}

func (j *journal) write(e entry) error {
	if err := json.NewEncoder(j.file).Encode(e); err != nil {
		return fmt.Errorf("write %s: %w: free some space on the disk", filepath.Join(j.dir, journalFile), err)
	}
	return nil
}

func (j *journal) round(commit string, started time.Time, p compare.Pair) error {
	return j.write(entry{Commit: commit, Started: started.UTC(), Good: p.Before, Sample: p.After})
}

func (j *journal) broken(commit string, why error) error {
	return j.write(entry{Commit: commit, Broken: why.Error()})
}

func (j *journal) close() { _ = j.file.Close() } // every line was written, and an error told

// write keeps the document: whole, or not at all.
func write(dir string, b unpark.Bisection) error {
	name := filepath.Join(dir, File)
	f, err := os.CreateTemp(dir, File+".*")
	if err == nil {
		err = errors.Join(report.JSON(f, b), f.Close())
		if err == nil {
			err = os.Rename(f.Name(), name)
		}
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
