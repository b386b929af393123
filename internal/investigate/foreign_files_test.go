//go:build unix

package investigate

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// goroutines writes a profile.
func goroutines(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(pprof.Lookup("goroutine").WriteTo(f, 0), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// A folder of profiles from elsewhere is read as far as it holds files, and nothing
// outside of it.
func TestDiagnoseForeignFolder(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "theirs")
	goroutines(t, filepath.Join(dir, "7", "goroutine.pb.gz"))
	goroutines(t, filepath.Join(outside, "mine.pb.gz"))
	if err := errors.Join(os.Symlink("../mine.pb.gz", filepath.Join(dir, "goroutine2.pb.gz")), syscall.Mkfifo(filepath.Join(dir, "cpu.pb.gz"), 0o600)); err != nil {
		t.Fatal(err)
	}
	outcome, err := Diagnose([]string{dir}, unpark.Version{})
	if err != nil {
		t.Fatal(err)
	}
	var unreadable []string
	for _, n := range outcome.Run.Warnings {
		if n.Code == "profile-unreadable" {
			unreadable = append(unreadable, n.Message)
		}
	}
	if files := outcome.Run.Windows[0].Profiles; len(files) != 1 || len(unreadable) != 2 || !strings.Contains(strings.Join(unreadable, ";"), "no regular file") {
		t.Errorf("read %v, not %v", files, unreadable)
	}
}

// A run document names its files: one that leads out of the folder by a link is not read.
func TestForeignRun(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "run")
	goroutines(t, filepath.Join(outside, "mine.pb.gz"))
	goroutines(t, filepath.Join(dir, "window-01", "7", "heap.pb.gz"))
	if err := os.Symlink("../../../mine.pb.gz", filepath.Join(dir, "window-01", "7", "goroutine.pb.gz")); err != nil {
		t.Fatal(err)
	}
	run := newRun(Config{})
	run.Windows = []unpark.Window{{Start: time.Unix(0, 0), End: time.Unix(9, 0), Profiles: []unpark.ProfileFile{
		{Kind: unpark.KindGoroutine, File: "window-01/7/goroutine.pb.gz", PID: 7, State: unpark.Present},
	}}}
	in, bad := input(run, 0, dir)
	if len(in.Profiles) != 0 || len(bad) != 1 || in.Lost[unpark.KindGoroutine] != 1 {
		t.Errorf("read %v, warnings %v", in.Profiles, bad)
	}
}

// A window of no length has no rate: the document must be one all the same.
func TestWindowOfNoLength(t *testing.T) {
	at := time.Unix(1000, 0).UTC()
	for name, h := range map[string]harness{
		"no length":  {Start: at, End: at, Operations: 5, Workers: 1},
		"backwards":  {Start: at, End: at.Add(-time.Second), Operations: 5, Workers: 1},
		"many":       {Start: at, End: at.Add(1), Operations: 1e305, Workers: 1},
		"none at":    {Operations: 5},
		"less tasks": {Start: at, End: at.Add(time.Second), Operations: -5},
	} {
		dir := t.TempDir()
		goroutines(t, filepath.Join(dir, "7", "goroutine.pb.gz"))
		text, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "window.json"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		outcome, err := Diagnose([]string{dir}, unpark.Version{})
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := json.Marshal(outcome.Run); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := outcome.Run.Warnings; len(n) == 0 || !strings.Contains(n[0].Message, "window.json") || outcome.Run.Windows[0].Load != nil {
			t.Errorf("%s: %v", name, n)
		}
	}
}
