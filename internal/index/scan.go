package index

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// The documents of a directory, and what tells an experiment that has none yet.
const (
	runDocument    = "run.json"
	abDocument     = "ab.json"
	bisectDocument = "bisect.json"
	rounds         = "rounds.jsonl"
	unfinished     = ".partial"
)

// found is one directory that holds a run or an experiment.
type found struct {
	path     string // below the folder, with slashes
	parent   string // of an experiment
	kind     string
	file     string // its document; "" where it has none yet
	modified time.Time
	size     int64
}

// scan lists what the folder holds. Links to folders are not followed: they may lead anywhere, and round.
func scan(ctx context.Context, root string) (all []found, unreadable []string, err error) {
	looked := 0
	var walk func(at, parent string, depth int) error
	walk = func(at, parent string, depth int) error {
		if looked++; looked > most {
			return fmt.Errorf("look for runs in %s: more than %d folders: name the one that holds runs", root, most)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(at)))
		if err != nil {
			if at == "." {
				return fmt.Errorf("look for runs: %w: name the folder that unpark run writes to", err)
			}
			unreadable = append(unreadable, at)
			return nil
		}
		here, is := recognise(at, entries)
		if is {
			here.parent = parent
			all = append(all, here)
			if here.kind == Run {
				return nil // what is below are its profiles
			}
			parent = at
		}
		for _, e := range entries {
			if e.IsDir() && depth < deepest && !strings.HasPrefix(e.Name(), ".") {
				if err := walk(path.Join(at, e.Name()), parent, depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	err = walk(".", "", 0)
	return all, unreadable, err
}

// recognise tells what a directory is by the names in it.
func recognise(at string, entries []fs.DirEntry) (found, bool) {
	has := map[string]fs.DirEntry{}
	window := false
	for _, e := range entries {
		if e.Type().IsRegular() {
			has[e.Name()] = e
		}
		window = window || e.IsDir() && strings.HasPrefix(e.Name(), "window-")
	}
	for _, d := range []struct{ kind, file string }{{Run, runDocument}, {AB, abDocument}, {Bisect, bisectDocument}, {AB, rounds}} {
		e, ok := has[d.file]
		if !ok {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // gone meanwhile
		}
		f := found{path: at, kind: d.kind, file: d.file, modified: info.ModTime(), size: info.Size()}
		if d.file == rounds {
			f.file = ""
		}
		return f, true
	}
	if strings.HasSuffix(at, unfinished) || window {
		return found{path: at, kind: Run}, true
	}
	return found{}, false
}
