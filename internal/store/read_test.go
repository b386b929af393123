//go:build unix

package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A run directory may come from anybody.
func TestFileOfStranger(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "run")
	for _, folder := range []string{dir, filepath.Join(dir, "window-01"), filepath.Join(dir, "window-01", "7")} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	write := func(name string) error { return os.WriteFile(name, []byte("text"), 0o600) }
	if err := errors.Join(write(filepath.Join(outside, "secret")), write(in("window-01/7/cpu.pb.gz")),
		os.Symlink("../secret", in("link")), os.Symlink("..", in("up")), os.Symlink("/etc/passwd", in("absolute")),
		os.Symlink("window-01/7/cpu.pb.gz", in("inside")), syscall.Mkfifo(in("pipe"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"window-01/7/cpu.pb.gz", "inside"} {
		f, err := File(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(f); err != nil || string(b) != "text" {
			t.Errorf("%s: %q, %v", name, b, err)
		}
		f.Close()
	}
	for _, name := range []string{"../secret", "link", "up/secret", "absolute", "/etc/passwd", "pipe", "window-01", "missing"} {
		f, err := File(dir, name)
		if err == nil {
			f.Close()
			t.Errorf("%s was opened", name)
		} else if errors.Is(err, errNotRegular) != (name == "pipe" || name == "window-01") || errors.Is(err, fs.ErrNotExist) != (name == "missing") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A run.json that is a named pipe does not stop unpark for ever.
func TestOpenPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, document), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(dir); !errors.Is(err, errNotRegular) {
		t.Errorf("got %v", err)
	}
}
