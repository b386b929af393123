package parcel

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func packed(t testing.TB, end End) []byte {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"run.json": "{}", "window-01/7/cpu.pb.gz": strings.Repeat("x", 3000), "empty": ""} {
		name = filepath.Join(dir, name)
		check(t, os.MkdirAll(filepath.Dir(name), 0o700))
		check(t, os.WriteFile(name, []byte(text), 0o644))
	}
	check(t, os.Symlink("/etc/passwd", filepath.Join(dir, "link")))
	var b bytes.Buffer
	check(t, Pack(&b, dir, end))
	return b.Bytes()
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestRoundTrip(t *testing.T) {
	want := End{Status: 4, Said: "void", Partial: true, Version: "v1", Files: 3}
	dir := filepath.Join(t.TempDir(), "out")
	got, err := Unpack(bytes.NewReader(packed(t, want)), dir)
	check(t, err)
	if got != want {
		t.Errorf("%+v", got)
	}
	info, err := os.Stat(filepath.Join(dir, "window-01", "7", "cpu.pb.gz"))
	check(t, err)
	if info.Size() != 3000 || info.Mode().Perm() != 0o600 {
		t.Errorf("%d bytes, %v", info.Size(), info.Mode())
	}
	if _, err := os.Lstat(filepath.Join(dir, "link")); err == nil {
		t.Error("a link was taken along")
	}
}

// TestCut: a stream that breaks off anywhere is known for that, and leaves nothing.
func TestCut(t *testing.T) {
	whole := packed(t, End{})
	for n := 0; n < len(whole)-1536; n += 97 { // the end of a tar is 1024 bytes, and the last member is complete before
		dir := filepath.Join(t.TempDir(), "out")
		if _, err := Unpack(bytes.NewReader(whole[:n]), dir); !errors.Is(err, ErrCut) {
			t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Fatalf("%d bytes: something is left", n)
		}
	}
}

func TestNothingToPack(t *testing.T) {
	var b bytes.Buffer
	check(t, Pack(&b, filepath.Join(t.TempDir(), "none"), End{Said: "it failed"}))
	end, err := Unpack(&b, filepath.Join(t.TempDir(), "out"))
	check(t, err)
	if end.Files != 0 || end.Said != "it failed" {
		t.Errorf("%+v", end)
	}
}

func TestRefused(t *testing.T) {
	for name, h := range map[string]tar.Header{
		"outside":   {Name: "../x", Typeflag: tar.TypeReg},
		"absolute":  {Name: "/x", Typeflag: tar.TypeReg},
		"a link":    {Name: "x", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		"a device":  {Name: "x", Typeflag: tar.TypeBlock},
		"too large": {Name: "x", Typeflag: tar.TypeReg, Size: mostBytes + 1},
	} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		check(t, w.WriteHeader(&h))
		dir := filepath.Join(t.TempDir(), "out")
		if _, err := Unpack(&b, dir); err == nil || errors.Is(err, ErrCut) {
			t.Errorf("%s: %v", name, err)
		}
	}
	there := t.TempDir()
	if _, err := Unpack(bytes.NewReader(packed(t, End{})), there); err == nil {
		t.Error("a folder that is there was written into")
	}
}

func TestLost(t *testing.T) {
	text := packed(t, End{})
	changed := bytes.Replace(text, []byte(`"files":3`), []byte(`"files":4`), 1)
	if _, err := Unpack(bytes.NewReader(changed), filepath.Join(t.TempDir(), "out")); err == nil || !strings.Contains(err.Error(), "3 files of 4") {
		t.Errorf("%v", err)
	}
}

// FuzzUnpack: nothing is written outside of the folder, and nothing stays after an error.
func FuzzUnpack(f *testing.F) {
	f.Add(packed(f, End{}))
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		top := t.TempDir()
		dir := filepath.Join(top, "out")
		_, err := Unpack(bytes.NewReader(text), dir)
		entries, _ := os.ReadDir(top)
		if err != nil && len(entries) != 0 || err == nil && (len(entries) != 1 || entries[0].Name() != "out") {
			t.Errorf("%v: %v", err, entries)
		}
	})
}
