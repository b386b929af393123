package store

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// maxEntries bounds how many files of a directory are looked at: ten kinds of
// 128 processes in 20 windows come to 25 600.
const maxEntries = 1 << 16

// recoverFiles adds the profiles that are on disk and not in the document:
// window-NN/PID/KIND.pb.gz and window-NN/PID/trace.out.
func recoverFiles(root *os.Root, run *unpark.Run) error {
	known := make(map[string]bool)
	window := make(map[string]int) // folder → index in run.Windows
	for i, w := range run.Windows {
		for _, p := range w.Profiles {
			known[p.File] = true
			folder, _, _ := strings.Cut(p.File, "/")
			window[folder] = i
		}
	}
	found, unreadable, err := profiles(root)
	if err != nil {
		return err
	}
	for _, name := range unreadable {
		run.Warnings = append(run.Warnings, unpark.Notice{
			Code:    "folder-unreadable",
			Message: name + " could not be read; what is in it is missing here",
			Cure:    "run unpark report as the user who made the run",
		})
	}
	for _, p := range found {
		if known[p.File] {
			continue
		}
		folder, _, _ := strings.Cut(p.File, "/")
		at, ok := window[folder]
		if !ok {
			at = len(run.Windows)
			run.Windows = append(run.Windows, unpark.Window{})
			window[folder] = at
		}
		run.Windows[at].Profiles = append(run.Windows[at].Profiles, p)
	}
	return nil
}

// profiles lists the profiles below root by window, PID and kind, and the
// folders that could not be read.
func profiles(root *os.Root) (found []unpark.ProfileFile, unreadable []string, err error) {
	seen := 0
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			unreadable = append(unreadable, name)
			return fs.SkipDir
		}
		if seen++; seen > maxEntries {
			return fmt.Errorf("more than %d files: not a run directory", maxEntries)
		}
		depth := strings.Count(name, "/")
		if entry.IsDir() {
			if name != "." && (depth > 1 || !strings.HasPrefix(name, "window-")) {
				return fs.SkipDir
			}
			return nil
		}
		p, ok := recognise(name)
		if !ok || depth != 2 || !entry.Type().IsRegular() {
			return nil
		}
		if info, err := entry.Info(); err != nil || info.Size() == 0 {
			p.State, p.Note = unpark.Bad, "the file is empty: the run was stopped while it was written"
		}
		found = append(found, p)
		return nil
	})
	slices.SortStableFunc(found, byPlace)
	return found, unreadable, err
}

// recognise reads window, PID and kind off a name.
func recognise(name string) (unpark.ProfileFile, bool) {
	folder, base := path.Split(name)
	pid, err := strconv.Atoi(path.Base(folder))
	if err != nil {
		return unpark.ProfileFile{}, false
	}
	if snapshot, _ := path.Match("trace-[0-9][0-9].out", base); snapshot {
		return unpark.ProfileFile{Kind: unpark.KindTrace, File: name, PID: pid, State: unpark.Present}, true
	}
	for _, k := range unpark.Kinds() {
		if base == k.File() {
			return unpark.ProfileFile{Kind: k, File: name, PID: pid, State: unpark.Present}, true
		}
	}
	return unpark.ProfileFile{}, false
}

func byPlace(a, b unpark.ProfileFile) int {
	wa, _, _ := strings.Cut(a.File, "/")
	wb, _, _ := strings.Cut(b.File, "/")
	if len(wa) != len(wb) { // window-100 after window-99
		return len(wa) - len(wb)
	}
	if c := strings.Compare(wa, wb); c != 0 {
		return c
	}
	if a.PID != b.PID {
		return a.PID - b.PID
	}
	kinds := unpark.Kinds()
	return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind)
}
