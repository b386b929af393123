package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/unpark-go/unpark"
)

// The halves that cases are split into: rules are made from the first, and the second is
// run at the end and reported as it is.
const (
	halfWork   = "work"
	halfReport = "report"
)

// fault is one case.json: a documented fault of a module, or a control, and what a fair
// expert says of it.
type fault struct {
	Name        string   `json:"name"`
	Kind        string   `json:"kind"` // "bug" or "control"
	Module      string   `json:"module"`
	Before      string   `json:"before"`
	After       string   `json:"after"`
	Path        string   `json:"path"`
	Method      string   `json:"method"`
	Body        string   `json:"body"`
	Requests    []ask    `json:"requests"` // in place of path, where the load must vary
	Protocol    string   `json:"protocol"` // "h1", "h2c", "grpc"
	Connections int      `json:"connections"`
	Expect      expect   `json:"expect"`
	Remedy      patterns `json:"remedy_regex"` // what the documented fix says to do
	Metric      string   `json:"metric"`       // where the fix shows: "throughput" or "p99"
	AfterEnv    string   `json:"after_env"`    // NAME=value of the fixed variant, where one binary is both
	Tags        []string `json:"tags"`
	Source      string   `json:"source"`
	Notes       string   `json:"notes"`
	Args        []string `json:"args"`    // further flags of unpark run: the method of a gRPC service, a rate
	Edition     int      `json:"edition"` // 2 and on: cases that were written when rules were already made

	dir string
}

// ask is one kind of request.
type ask struct {
	Method string  `json:"method"`
	Path   string  `json:"path"`
	Body   string  `json:"body"`
	Weight float64 `json:"weight"`
}

// expect is what may be said.
type expect struct {
	Class   []string `json:"class"`
	Culprit patterns `json:"culprit_regex"`
	Forbid  patterns `json:"forbid_regex"`
	Limit   []string `json:"limit"`
	Silent  bool     `json:"silent"` // of a healthy control: that nothing is told is right as well
	After   struct {
		Forbid      patterns `json:"forbid_regex"`
		ForbidClass []string `json:"forbid_class"` // "any" is every class
		ForbidRank  int      `json:"forbid_rank"`
		Limit       []string `json:"limit"`
	} `json:"after"`
}

// patterns are regular expressions, one of which must match.
type patterns []*regexp.Regexp

func (p *patterns) UnmarshalJSON(b []byte) error {
	var texts []string
	if err := json.Unmarshal(b, &texts); err != nil {
		return err
	}
	for _, text := range texts {
		re, err := regexp.Compile(text)
		if err != nil {
			return err
		}
		*p = append(*p, re)
	}
	return nil
}

func (p patterns) match(names []string) bool {
	return slices.ContainsFunc(p, func(re *regexp.Regexp) bool { return slices.ContainsFunc(names, re.MatchString) })
}

// newest is the edition that is reported: its cases were written when rules were made from
// those before it. The eleventh has eleven cases, too few for a half: it was run once, held
// out, and is worked with since (docs/wild.md).
const newest = 22

// half says which half a case is in. Those of the first edition were split by a hash of
// their names, until its second half was reported (docs/wild.md).
func (f fault) half() string {
	if f.Edition == newest {
		return halfReport
	}
	return halfWork
}

// variants are what a case is built as.
func (f fault) variants() []string {
	out := []string{"before"}
	if _, err := os.Stat(filepath.Join(f.dir, "after")); err == nil || f.AfterEnv != "" {
		out = append(out, "after")
	}
	return out
}

// load reads every case below a folder, in order of their names.
func load(dir string) ([]fault, error) {
	files, err := fs.Glob(os.DirFS(dir), "*/case.json")
	if err != nil {
		return nil, err
	}
	var out []fault
	for _, file := range files {
		path := filepath.Join(dir, filepath.FromSlash(file))
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var f fault
		if err := json.Unmarshal(data, &f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		f.dir = filepath.Dir(path)
		if f.Name != filepath.Base(f.dir) {
			return nil, fmt.Errorf("%s: it is named %q", path, f.Name)
		}
		out = append(out, f)
	}
	return out, nil
}

// functions are the ends of a finding.
func functions(f unpark.Finding) []string {
	var out []string
	for _, s := range []*unpark.Site{f.Culprit, &f.Site, f.Holder, f.Waiter} {
		if s != nil && s.Function != "" {
			out = append(out, s.Function)
		}
	}
	return out
}
