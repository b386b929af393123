package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/store"
)

const (
	partialSuffix = ".partial"
)

// underWay lists the runs that are going on, by what they wrote last: those of the folder, those of the folders in it, and experiments.
// It is asked for with every list, so a folder with the document of a run, as nearly all are, is passed by: to read the names in each of
// 2,000 took longer than all else of the list.
func underWay(root string) []string {
	all, _ := os.ReadDir(root) // the list says what is wrong with it
	here, below, experiments := []string{}, []string{}, []string{}
	for _, e := range all {
		dir := filepath.Join(root, e.Name())
		if !e.IsDir() {
			continue
		}
		if strings.HasSuffix(dir, partialSuffix) && speaks(dir) {
			here = append(here, e.Name())
		}
		if _, err := os.Lstat(filepath.Join(dir, runFile)); err == nil {
			continue
		}
		inside, _ := os.ReadDir(dir) // which may be gone meanwhile
		for _, in := range inside {
			if in.IsDir() && strings.HasSuffix(in.Name(), partialSuffix) && speaks(filepath.Join(dir, in.Name())) {
				below = append(below, path.Join(e.Name(), in.Name()))
			}
		}
		if experimenting(dir) {
			experiments = append(experiments, e.Name())
		}
	}
	return append(append(here, below...), experiments...)
}

// speaks reports whether what goes on in a folder has been written to lately.
func speaks(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, store.LiveFile))
	return err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) <= silent
}

// The files of an experiment: its rounds from the start, and what came of them at its end.
const (
	roundsFile = "rounds.jsonl"
	abFile     = "ab.json"
	runFile    = "run.json" // of a run; below are its profiles
)

// experimenting reports whether a folder is of an experiment that goes on and shows itself. Other than a run it has its name from the start.
func experimenting(dir string) bool {
	if !speaks(dir) {
		return false
	}
	_, err := os.Lstat(filepath.Join(dir, roundsFile))
	_, ended := os.Lstat(filepath.Join(dir, abFile))
	return err == nil && errors.Is(ended, os.ErrNotExist)
}

func livePage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	http.ServeFileFS(w, r, assets, "assets/live.html")
}

// live follows a run that is under way, from its beginning: an event for each line, and one for its end.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimSuffix(r.PathValue("path"), partialSuffix)
	local, err := filepath.Localize(path)
	if err != nil || path == "." {
		http.Error(w, "no run has such a name", http.StatusNotFound)
		return
	}
	dir := filepath.Join(s.index.Root(), local)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	send := func(event string, v any) bool {
		text, err := json.Marshal(v)
		if err != nil {
			return false
		}
		_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, text)
		return err == nil && out.Flush() == nil
	}
	tick := time.NewTicker(glance)
	defer tick.Stop()
	t, end := tail{dir: dir + partialSuffix}, ended{}
	if experimenting(dir) {
		t.dir, end.Page = dir, address("experiment", filepath.ToSlash(local))
	}
	for {
		lines, there := t.more()
		for _, l := range lines {
			if !send("line", l) {
				return
			}
		}
		if !there || end.Page != "" && !experimenting(dir) {
			_, err := os.Stat(dir)
			end.Kept = err == nil
			send("end", end)
			return
		}
		s.touch()
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}

// ended is the end of what was followed.
type ended struct {
	Kept bool   `json:"kept"`
	Page string `json:"page,omitempty"` // of an experiment
}

// tail reads what is added to the progress of a run.
type tail struct {
	dir  string
	at   int64
	rest []byte // of a line that is not whole yet
}

// more returns what was added since. There is none where the run has ended, or never was.
func (t *tail) more() (lines []store.Live, there bool) {
	f, err := store.File(t.dir, store.LiveFile)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, t.at, largestLive))
	if err != nil || t.at > largestLive {
		return nil, false
	}
	t.at += int64(len(text))
	text = append(t.rest, text...)
	for {
		line, rest, whole := bytes.Cut(text, []byte{'\n'})
		if !whole {
			t.rest = text
			return lines, true
		}
		text = rest
		var l store.Live
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		l.Phase, l.Detail = escape.Prose(l.Phase), escape.Prose(l.Detail)
		lines = append(lines, l)
	}
}
