package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Bytes of an archive follow from its content and the release's date, on any day and
// in any order of what was collected.
func TestArchives(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "built")
	if err := os.WriteFile(binary, []byte("program"), 0o700); err != nil {
		t.Fatal(err)
	}
	date := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	a, b := entry{"LICENSE", 0o644, []byte("l")}, entry{"man/man1/unpark.1", 0o644, []byte("m")}
	write := func(to, platform string, date time.Time, extras ...entry) []byte {
		t.Helper()
		to = filepath.Join(dir, to)
		if err := os.MkdirAll(to, 0o700); err != nil {
			t.Fatal(err)
		}
		name, err := writeArchive(to, platform, "v0.1.0", binary, extras, date)
		if err != nil {
			t.Fatal(err)
		}
		return []byte(read(t, to, name))
	}
	for _, platform := range []string{"linux/amd64", "darwin/arm64", "windows/amd64"} {
		one := write("one", platform, date, a, b)
		if !bytes.Equal(one, write("two", platform, date, b, a)) {
			t.Errorf("%s: twice is not the same", platform)
		}
		if bytes.Equal(one, write("three", platform, date.Add(time.Hour), a, b)) {
			t.Errorf("%s: it does not have the date", platform)
		}
	}
	packed := write("one", "windows/amd64", date, a, b)
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"LICENSE", "man/man1/unpark.1", "unpark.exe"}
	for i, f := range z.File {
		if f.Name != "unpark_v0.1.0_windows_amd64/"+want[i] || !f.Modified.Equal(date) {
			t.Errorf("entry %d is %s of %s, want %s of %s", i, f.Name, f.Modified, want[i], date)
		}
	}
}

// sha256sum --check reads it, whatever is in the folder.
func TestSums(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"b": "", "a": "abc"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeSums(dir); err != nil {
		t.Fatal(err)
	}
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n" +
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
	if got := read(t, dir, "SHA256SUMS"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
