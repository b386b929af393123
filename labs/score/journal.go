package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/unpark-go/unpark"
)

// outcome is what came of one attempt, a run of an arm or rounds of two, as one line
// of the journal has it. The
// verdict is not in it: that is judged from the run directory whenever a table is
// made, so that a better expectation needs no new run.
type outcome struct {
	Lab         string    `json:"lab"`
	Arm         string    `json:"arm"`
	After       string    `json:"after,omitempty"` // of rounds: the arm that Arm was compared with
	Repeat      int       `json:"repeat"`
	Fingerprint string    `json:"fingerprint"` // of binaries and flags
	Commit      string    `json:"commit"`
	At          time.Time `json:"at"`
	Tries       int       `json:"tries"` // 2: the first one was void
	Rate        string    `json:"rate,omitempty"`
	Exit        int       `json:"exit"`    // of unpark
	Seconds     float64   `json:"seconds"` // that unpark took
	Dir         string    `json:"dir"`
	Failed      string    `json:"failed,omitempty"`  // why there is no verdict
	Skipped     string    `json:"skipped,omitempty"` // why the machine cannot do this

	run    *unpark.Run        // nil without a verdict
	rounds *unpark.Comparison // nil without rounds
}

// load reads the verdict, or the rounds.
func (o *outcome) load() error {
	switch {
	case o.Failed != "" || o.Skipped != "":
		return nil
	case o.After != "":
		return read(filepath.Join(o.Dir, "ab.json"), &o.rounds)
	default:
		return read(filepath.Join(o.Dir, "run.json"), &o.run)
	}
}

// read decodes a document of unpark.
func read[T any](file string, into **T) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read what unpark wrote: %w", err)
	}
	document := new(T)
	if err := json.Unmarshal(data, document); err != nil {
		return fmt.Errorf("decode %s: %w", file, err)
	}
	*into = document
	return nil
}

// key tells attempts apart.
type key struct {
	lab, arm, after string
	repeat          int
	fingerprint     string
}

func (o outcome) key() key { return key{o.Lab, o.Arm, o.After, o.Repeat, o.Fingerprint} }

// journal is the file of outcomes, appended to after each attempt.
type journal struct {
	file *os.File
	have map[key]outcome
}

// openJournal opens or makes a journal. Unless it is resumed, it begins anew.
func openJournal(file string, resume bool) (*journal, error) {
	j := &journal{have: map[key]outcome{}}
	if resume {
		if err := j.read(file); err != nil {
			return nil, err
		}
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if !resume {
		mode |= os.O_TRUNC
	}
	var err error
	if j.file, err = os.OpenFile(file, mode, 0o600); err != nil {
		return nil, fmt.Errorf("open the journal: %w: name another -work", err)
	}
	return j, nil
}

// read takes what is there. The last line of a journal whose writer was killed may
// be cut: what cannot be read is run again.
func (j *journal) read(file string) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the journal: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o outcome
		if json.Unmarshal(lines.Bytes(), &o) != nil || o.Failed != "" || o.load() != nil {
			continue
		}
		j.have[o.key()] = o
	}
	return lines.Err()
}

// add keeps an outcome, for this session and those that resume it.
func (j *journal) add(o outcome) error {
	j.have[o.key()] = o
	line, err := json.Marshal(o)
	if err == nil {
		// A line of its own, also after one that was cut.
		_, err = j.file.Write(append(append([]byte("\n"), line...), '\n'))
	}
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	return nil
}

func (j *journal) close() { j.file.Close() }
