package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

func sample() unpark.Run {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return unpark.Run{
		Schema: unpark.SchemaRun, ID: "r1", Started: at,
		Limit: unpark.Limit{Kind: unpark.LimitLock, Why: "one lock"},
		Windows: []unpark.Window{{
			Start: at, End: at.Add(10 * time.Second),
			Load: &unpark.Load{Mode: unpark.Closed, Requests: 10},
			Profiles: []unpark.ProfileFile{
				{Kind: unpark.KindCPU, File: "window-01/7/cpu.pb.gz", PID: 7, State: unpark.Present},
			},
		}},
	}
}

func create(t *testing.T) (*Dir, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sub", "run")
	d, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Discard() })
	return d, dir
}

func put(t *testing.T, d *Dir, name, text string) {
	t.Helper()
	w, err := d.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCommitRoundTrip(t *testing.T) {
	d, dir := create(t)
	put(t, d, "window-01/7/cpu.pb.gz", "x")
	if err := d.Save(sample()); err != nil {
		t.Fatal(err)
	}
	if got, want := d.Path(), dir+".partial"; got != want {
		t.Errorf("path before commit %s, want %s", got, want)
	}
	at, err := d.Commit(sample())
	if err != nil {
		t.Fatal(err)
	}
	if at != dir || d.Path() != dir {
		t.Errorf("committed to %s, path %s, want %s", at, d.Path(), dir)
	}
	got, where, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if where != dir || got.Partial != "" || got.ID != "r1" || len(got.Windows[0].Profiles) != 1 {
		t.Errorf("opened %s: %+v", where, got)
	}
	if got, _, err := Open(filepath.Join(dir, "run.json")); err != nil || got.ID != "r1" {
		t.Errorf("open by document: %v %v", got.ID, err)
	}
}

func TestDocumentHasNoNullLists(t *testing.T) {
	d, dir := create(t)
	r := sample()
	before, _ := json.Marshal(r)
	if _, err := d.Commit(r); err != nil {
		t.Fatal(err)
	}
	if after, _ := json.Marshal(r); !bytes.Equal(before, after) {
		t.Error("the caller's run was changed")
	}
	text, err := os.ReadFile(filepath.Join(dir, document))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"void": []`, `"findings": []`, `"warnings": []`, `"processes": []`, `"status": {}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

func TestModes(t *testing.T) {
	d, dir := create(t)
	put(t, d, "window-01/7/cpu.pb.gz", "x")
	if _, err := d.Commit(sample()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{
		"": 0o700, "window-01": 0o700, "window-01/7": 0o700, "window-01/7/cpu.pb.gz": 0o600, "run.json": 0o600,
	} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%q has mode %o, want %o", name, info.Mode().Perm(), want)
		}
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	d, dir := create(t)
	put(t, d, "a/b.txt", "first")
	if _, err := d.Create("a/b.txt"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second create of a file: %v", err)
	}
	if _, err := Create(dir); !errors.Is(err, ErrExists) {
		t.Errorf("create beside a partial run: %v", err)
	}
	if _, err := d.Commit(sample()); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "--out") {
		t.Errorf("create over a finished run: %v", err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "a", "b.txt")); string(text) != "first" {
		t.Errorf("file now holds %q", text)
	}
}

func TestCommitKeepsWhatAppearedMeanwhile(t *testing.T) {
	for _, full := range []bool{true, false} {
		d, dir := create(t)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if full {
			if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := d.Commit(sample()); !errors.Is(err, ErrExists) {
			t.Errorf("commit over a directory: %v", err)
		}
		at, err := d.Keep(sample(), "the name was taken")
		if err != nil || at != dir+".partial" {
			t.Errorf("keep: %s %v", at, err)
		}
	}
}

func TestNames(t *testing.T) {
	d, _ := create(t)
	for _, name := range []string{"", ".", "..", "../x", "/etc/x", "a/../../x", "run.json", "run.json.tmp", "a\x00b"} {
		if w, err := d.Create(name); err == nil {
			_ = w.Close()
			t.Errorf("%q was accepted", name)
		}
	}
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(d.Path(), "link")); err != nil {
		t.Fatal(err)
	}
	if w, err := d.Create("link/x"); err == nil {
		_ = w.Close()
		t.Error("a symbolic link led out of the run")
	}
}

func TestAfterTheEnd(t *testing.T) {
	d, dir := create(t)
	at, err := d.Keep(sample(), "interrupted in the window")
	if err != nil || at != dir+".partial" {
		t.Fatalf("keep: %s %v", at, err)
	}
	if _, err := d.Create("x"); err == nil {
		t.Error("create after keep")
	}
	if err := d.Save(sample()); err == nil {
		t.Error("save after keep")
	}
	if err := d.Discard(); err != nil {
		t.Error(err)
	}
	run, where, err := Open(dir) // by the name it would have got
	if err != nil || where != at || run.Partial != "interrupted in the window" {
		t.Errorf("open: %q in %s, %v", run.Partial, where, err)
	}
}

func TestDiscard(t *testing.T) {
	d, dir := create(t)
	put(t, d, "a/b", "x")
	if err := d.Discard(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(dir + ".partial"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("partial directory: %v", err)
	}
}

func TestConcurrentFiles(t *testing.T) {
	d, dir := create(t)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			w, err := d.Create(fmt.Sprintf("window-01/%d/cpu.pb.gz", i))
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = w.Write([]byte("x"))
			if err := errors.Join(w.Close(), d.Save(sample())); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if _, err := d.Commit(sample()); err != nil {
		t.Fatal(err)
	}
	if n, _ := filepath.Glob(filepath.Join(dir, "window-01", "*", "cpu.pb.gz")); len(n) != 16 {
		t.Errorf("%d files", len(n))
	}
}

// The tests also run as root, for whom no directory is read-only: a file in
// place of a parent fails for everybody.
func TestParentIsAFile(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(parent, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Create(filepath.Join(parent, "run"))
	if !errors.Is(err, syscall.ENOTDIR) || !strings.Contains(err.Error(), "create run directory "+parent) ||
		!strings.Contains(err.Error(), "choose another --out") {
		t.Errorf("got %v", err)
	}
}

func TestCures(t *testing.T) {
	for err, want := range map[error]string{
		syscall.ENOSPC:    "free some space",
		syscall.EDQUOT:    "free some space",
		syscall.EROFS:     "that you may write to",
		syscall.EACCES:    "that you may write to",
		syscall.ENOTDIR:   "a part of the path is a file",
		syscall.EEXIST:    "never overwritten",
		errors.New("odd"): "",
	} {
		got := fail("write", "dir/run.json", &fs.PathError{Op: "write", Path: "elsewhere", Err: err})
		if !errors.Is(got, err) || !strings.HasPrefix(got.Error(), "write dir/run.json: "+err.Error()) ||
			!strings.Contains(got.Error(), want) || strings.Contains(got.Error(), "elsewhere") {
			t.Errorf("%v: %v", err, got)
		}
	}
}

func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full on this system")
	}
	d, dir := create(t)
	if err := d.Save(sample()); err != nil {
		t.Fatal(err)
	}
	d.open = func(root *os.Root, name string) (*os.File, error) {
		f, err := openNew(root, name)
		if err != nil {
			return nil, err
		}
		_ = f.Close()
		return os.OpenFile("/dev/full", os.O_WRONLY, 0)
	}
	_, err := d.Commit(sample())
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "run.json") || !strings.Contains(err.Error(), "free some space") {
		t.Errorf("commit: %v", err)
	}
	w, err := d.Create("window-01/7/block.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("x")); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "block.pb.gz") {
		t.Errorf("write: %v", err)
	}
	_ = w.Close()
	run, where, err := Open(dir) // the document before is untouched
	if err != nil || where != dir+".partial" || run.ID != "r1" || run.Partial != unfinished {
		t.Errorf("open: %+v in %s, %v", run, where, err)
	}
	d.open = openNew // space was freed
	if _, err := d.Commit(sample()); err != nil {
		t.Errorf("commit after space was freed: %v", err)
	}
}

func TestUnencodable(t *testing.T) {
	d, _ := create(t)
	r := sample()
	r.Windows[0].Load.Seconds = nan()
	if err := d.Save(r); err == nil || !strings.Contains(err.Error(), "encode") {
		t.Errorf("got %v", err)
	}
}

func nan() float64 { z := 0.0; return z / z }

func TestWithoutNilCopies(t *testing.T) {
	r := sample()
	c := unpark.Document(r)
	if c.Windows[0].Load == r.Windows[0].Load || &c.Windows[0] == &r.Windows[0] {
		t.Error("shared with the original")
	}
	if !reflect.DeepEqual(r, sample()) {
		t.Error("the original changed")
	}
}
