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

// outcome is what came of one attempt, as one line of the journal has it. The
// verdict is not in it: that is judged from the run directory whenever a table is
// made, so that a better expectation needs no new run.
type outcome struct {
	Lab         string    `json:"lab"`
	Arm         string    `json:"arm"`
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

	run *unpark.Run // nil without a verdict
}

// load reads the verdict.
func (o *outcome) load() error {
	if o.Failed != "" || o.Skipped != "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(o.Dir, "run.json"))
	if err != nil {
		return fmt.Errorf("read the verdict of %s/%s: %w", o.Lab, o.Arm, err)
	}
	var run unpark.Run
	if err := json.Unmarshal(data, &run); err != nil {
		return fmt.Errorf("decode %s: %w", filepath.Join(o.Dir, "run.json"), err)
	}
	o.run = &run
	return nil
}

// key tells attempts apart.
type key struct {
	lab, arm    string
	repeat      int
	fingerprint string
}

func (o outcome) key() key { return key{o.Lab, o.Arm, o.Repeat, o.Fingerprint} }

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

func (j *journal) add(o outcome) error {
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
