package main

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/unpark-go/unpark/internal/ab"
	"github.com/unpark-go/unpark/internal/project"
)

// ofFile returns the budget of the project file.
func (k *checkFlags) ofFile() project.Budget {
	if k.file == nil {
		return project.Budget{}
	}
	return k.file.Budget
}

// baselineOf returns the runs that a run is held against: those of the flags, else of
// the project file. The result of `unpark ab` has its own.
func (k *checkFlags) baselineOf(run string) []string {
	if len(k.baselines) > 0 || k.file == nil || k.absolute {
		return k.baselines
	}
	if _, err := os.Stat(filepath.Join(run, ab.File)); err == nil {
		return nil
	}
	var out []string
	for _, name := range k.file.Baseline.Runs {
		out = append(out, k.file.Path(name))
	}
	return out
}

// newestRun returns the last run beside a project file that ended and was given no
// name; empty when there is none.
func newestRun(f *project.File) string {
	if f == nil {
		return ""
	}
	dir := filepath.Join(dirOf(f), runsFolder)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range slices.Backward(entries) { // sorted by name, which is the time
		if _, err := time.Parse(runNames, e.Name()); err != nil {
			continue
		}
		for _, file := range []string{"run.json", ab.File} {
			if _, err := os.Stat(filepath.Join(dir, e.Name(), file)); err == nil {
				return filepath.Join(dir, e.Name())
			}
		}
	}
	return ""
}
