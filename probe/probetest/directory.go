package probetest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	// envDir names the folder in which runs get their directories.
	envDir = "UNPARK_TEST_DIR"
	// defaultDir is beside the test: go test runs in its package's folder, and
	// testdata is what the go command ignores.
	defaultDir = "testdata/unpark"
	windowName = "window-01"
)

// directory is one run directory with its one window.
type directory struct {
	path string // absolute
	made bool   // by makeDir
}

// makeDir makes the run directory, and the window's folder in it, which is how two
// runs cannot have the same one. dir is Options.Dir.
func makeDir(dir, name string) (*directory, error) {
	d := &directory{path: dir}
	if dir == "" {
		made, err := numbered(name)
		if err != nil {
			return nil, err
		}
		d.path, d.made = made, true
	} else if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		d.made = true
	}
	absolute, err := filepath.Abs(d.path)
	if err != nil {
		return nil, fmt.Errorf("find the run directory: %w", err)
	}
	d.path = absolute
	if err := os.MkdirAll(d.path, 0o700); err != nil {
		return nil, fmt.Errorf("make the run directory: %w: name one that this user may write in Options.Dir", err)
	}
	err = os.Mkdir(d.window(), 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("the run directory %s holds a window, and nothing is overwritten: remove it, or name another in Options.Dir", d.path)
	}
	if err != nil {
		return nil, fmt.Errorf("make the window's folder: %w: name a run directory that this user may write in Options.Dir", err)
	}
	return d, nil
}

// numbered makes BASE/NAME-NNN with the number after the highest there is.
func numbered(name string) (string, error) {
	base := os.Getenv(envDir)
	if base == "" {
		base = defaultDir
		if err := ignored(base); err != nil {
			return "", fmt.Errorf("make the folder of runs: %w: name one that this user may write in %s", err, envDir)
		}
	} else if err := os.MkdirAll(base, 0o755); err != nil {
		return "", fmt.Errorf("make the folder of runs: %w: name one that this user may write in %s", err, envDir)
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		return "", fmt.Errorf("read the folder of runs: %w: name one that this user may read in %s", err, envDir)
	}
	prefix := fileName(name) + "-"
	next := 1
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), prefix)
		if n, err := strconv.Atoi(digits); ok && err == nil && n >= next {
			next = n + 1
		}
	}
	// Another process may have taken the number meanwhile.
	for ; ; next++ {
		path := filepath.Join(base, fmt.Sprintf("%s%03d", prefix, next))
		err := os.Mkdir(path, 0o700)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("make the run directory: %w: name a folder that this user may write in %s", err, envDir)
		}
	}
}

// ignored makes a folder that version control leaves alone: profiles are no source.
func ignored(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}

// fileName makes a name fit for a file on every system.
func fileName(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, name)
	clean = strings.TrimLeft(clean, ".")
	if clean == "" {
		return "run"
	}
	return clean[:min(len(clean), 100)]
}

func (d *directory) window() string { return filepath.Join(d.path, windowName) }

// write makes a file in the window's folder, readable by this user alone: profiles
// can hold secrets.
func (d *directory) write(name string, body []byte) error {
	path := filepath.Join(d.window(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("save %s: %w: make room, or name another place in Options.Dir", name, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("save %s: %w: make room, or name another place in Options.Dir", name, err)
	}
	_, err = f.Write(body)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("save %s: %w: make room, or name another place in Options.Dir", name, err)
	}
	return nil
}

// discard removes what makeDir and write made.
func (d *directory) discard() {
	os.RemoveAll(d.window())
	if d.made {
		os.Remove(d.path)
	}
}
