package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// server is one server.json: a whole server of others, with its loads, and what an expert
// says of each.
type server struct {
	Name    string            `json:"name"`
	Module  string            `json:"module"`
	Version string            `json:"version"`
	Own     []string          `json:"own"`
	Env     map[string]string `json:"env"`
	Setup   []step            `json:"setup"`
	Beside  []step            `json:"beside"`
	Command []string          `json:"command"`
	Ready   string            `json:"ready"`
	Pprof   struct {
		Kind string `json:"kind"` // "wrapped" or "own"
		URL  string `json:"url"`
	} `json:"pprof"`
	Loads []serverLoad `json:"loads"`

	dir string
}

// step is a command beside a server, or before its load.
type step struct {
	When string   `json:"when"` // "before" its start, or when it is "ready"
	Argv []string `json:"argv"`
}

// serverLoad is one load of a server.
type serverLoad struct {
	Name        string            `json:"name"`
	Method      string            `json:"method"`
	Path        string            `json:"path"` // or a whole URL, of a server with more than one port
	Headers     map[string]string `json:"headers"`
	Body        string            `json:"body"`
	BodyFile    string            `json:"body_file"`
	Connections int               `json:"connections"`
	Args        []string          `json:"args"` // further flags of unpark run: the values that fill a body
	Expert      struct {
		Limit   []string `json:"limit"`
		Class   []string `json:"class"`
		Culprit patterns `json:"culprit_regex"`
		Forbid  patterns `json:"forbid_regex"`
		Remedy  patterns `json:"remedy_regex"`
	} `json:"expert"`
}

// fault is a load as a case: what the expert says is what is expected.
func (s server) fault(l serverLoad) fault {
	f := fault{Name: s.Name + " " + l.Name, Kind: "server", Module: s.Module, Before: s.Version, Remedy: l.Expert.Remedy}
	f.Expect.Class, f.Expect.Limit, f.Expect.Culprit = l.Expert.Class, l.Expert.Limit, l.Expert.Culprit
	f.Expect.Forbid = l.Expert.Forbid
	return f
}

// servers reads every server below a folder that an expert said something of, in order of
// their names; those that are named, if any are.
func servers(dir string, names []string) ([]server, error) {
	files, err := fs.Glob(os.DirFS(dir), "*/server.json")
	if err != nil {
		return nil, err
	}
	var out []server
	for _, file := range files {
		path := filepath.Join(dir, filepath.FromSlash(file))
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var s server
		if err := json.Unmarshal(data, &s); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if s.dir, err = filepath.Abs(filepath.Dir(path)); err != nil {
			return nil, err
		}
		s.Loads = slices.DeleteFunc(s.Loads, func(l serverLoad) bool { return len(l.Expert.Limit) == 0 })
		if len(s.Loads) > 0 && (len(names) == 0 || slices.Contains(names, s.Name)) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no server in %s, of %q", dir, names)
	}
	return out, nil
}
