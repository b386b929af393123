// Package store keeps runs on disk, one directory each.
//
// A run is written to "NAME.partial" and renamed to NAME when it is complete,
// so that a directory without the suffix is always a whole run. A run that was
// interrupted or killed leaves the partial directory, which [Open] reads and
// calls partial. Files are 0600 and directories 0700, because profiles can hold
// secrets. Nothing is ever overwritten, except run.json by a newer version of
// itself while the run is still partial.
package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/unpark-go/unpark"
)

// ErrExists is wrapped by the error of [Create] when the directory, or its
// partial form, is there already.
var ErrExists = errors.New("it exists already")

// errFinished is the cause of a write after Commit, Keep or Discard.
var errFinished = errors.New("the run is finished")

const (
	document   = "run.json"
	suffix     = ".partial"
	unfinished = "the run was stopped before it ended"

	fileMode = 0o600
	dirMode  = 0o700
)

// Dir is the directory of a run that is being written. Its methods may be
// called from several goroutines.
type Dir struct {
	final   string
	partial string

	mu   sync.Mutex
	root *os.Root // the partial directory; nil when finished
	path string   // where the files are now
	open opener
}

// opener makes a new file below root; it is replaced by tests that need a full
// disk.
type opener func(root *os.Root, name string) (*os.File, error)

// Create starts a run that will end up in dir. Missing parents are made. The
// error wraps [ErrExists] when dir or its partial form exists.
func Create(dir string) (*Dir, error) {
	dir = filepath.Clean(dir)
	partial := dir + suffix
	for _, name := range []string{dir, partial} {
		if _, err := os.Lstat(name); err == nil {
			return nil, fail("create run directory", name, ErrExists)
		}
	}
	if err := os.MkdirAll(filepath.Dir(dir), dirMode); err != nil {
		return nil, fail("create run directory", filepath.Dir(dir), err)
	}
	// Mkdir, not MkdirAll: of two runs with one name only the first gets it.
	if err := os.Mkdir(partial, dirMode); err != nil {
		return nil, fail("create run directory", partial, err)
	}
	root, err := os.OpenRoot(partial)
	if err != nil {
		return nil, fail("open run directory", partial, err)
	}
	return &Dir{final: dir, partial: partial, path: partial, root: root, open: openNew}, nil
}

func openNew(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode)
}

// Path returns the directory that the files are in now: the partial one until
// Commit.
func (d *Dir) Path() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.path
}

// Create makes a new file in the run, and the folders it needs. The name is
// relative, with slashes, and may not leave the directory. Closing the writer
// forces the file to disk.
func (d *Dir) Create(name string) (io.WriteCloser, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	local, err := filepath.Localize(name)
	if err != nil || local == "." || local == document || filepath.Ext(local) == ".tmp" {
		return nil, fail("create file", name, fmt.Errorf("%w: not a name for a file of a run", fs.ErrInvalid))
	}
	if d.root == nil {
		return nil, fail("create file", name, errFinished)
	}
	object := filepath.Join(d.partial, local)
	if parent := filepath.Dir(local); parent != "." {
		if err := d.root.MkdirAll(parent, dirMode); err != nil {
			return nil, fail("create folder", filepath.Join(d.partial, parent), err)
		}
	}
	f, err := d.open(d.root, local)
	if err != nil {
		return nil, fail("create file", object, err)
	}
	return &file{f: f, object: object}, nil
}

// Save writes run.json into the partial directory, in place of the one before.
// What is saved says that the run has not ended, so that a killed run can be
// told from a whole one.
func (d *Dir) Save(r unpark.Run) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.Partial == "" {
		r.Partial = unfinished
	}
	return d.save(r)
}

// Commit writes the final run.json, forces everything to disk, renames the
// directory to its final name and returns that. Without success the run stays
// in the partial directory and can still be kept.
func (d *Dir) Commit(r unpark.Run) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.save(r); err != nil {
		return "", err
	}
	// rename(2) replaces no file and no directory with something in it; only an
	// empty directory made in the meantime could vanish, so look for one.
	if _, err := os.Lstat(d.final); err == nil {
		return "", fail("finish run", d.final, ErrExists)
	}
	if err := os.Rename(d.partial, d.final); err != nil {
		return "", fail("finish run", d.final, err)
	}
	d.path = d.final
	return d.final, d.finish(filepath.Dir(d.final))
}

// Keep ends a run that did not get to its end: run.json is written with Partial
// set to why, and the partial directory stays. It returns that directory.
func (d *Dir) Keep(r unpark.Run, why string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if why == "" {
		why = unfinished
	}
	r.Partial = why
	if err := d.save(r); err != nil {
		return d.partial, err
	}
	return d.partial, d.finish(filepath.Dir(d.partial))
}

// Discard removes the partial directory: for a run that failed before anything
// was measured. After Commit or Keep it does nothing.
func (d *Dir) Discard() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root == nil {
		return nil
	}
	err := d.root.Close()
	d.root = nil
	if err := errors.Join(err, os.RemoveAll(d.partial)); err != nil {
		return fail("remove run directory", d.partial, err)
	}
	return nil
}

// finish closes the run and makes its name in parent durable.
func (d *Dir) finish(parent string) error {
	err := d.root.Close()
	d.root = nil
	if err := errors.Join(err, syncDir(parent)); err != nil {
		return fail("finish run", d.path, err)
	}
	return nil
}

// save replaces run.json in one step: write beside it, force to disk, rename.
func (d *Dir) save(r unpark.Run) error {
	object := filepath.Join(d.partial, document)
	if d.root == nil {
		return fail("write", object, errFinished)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	r.Schema = unpark.SchemaRun
	if err := enc.Encode(unpark.Document(r)); err != nil {
		return fail("encode", object, err)
	}
	const temporary = document + ".tmp"
	if err := d.root.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail("write", object, err)
	}
	f, err := d.open(d.root, temporary)
	if err != nil {
		return fail("write", object, err)
	}
	w := &file{f: f, object: object}
	_, err = w.Write(text.Bytes())
	if err := errors.Join(err, w.Close()); err != nil {
		_ = d.root.Remove(temporary) // what failed is in err already
		return err
	}
	if err := d.root.Rename(temporary, document); err != nil {
		return fail("write", object, err)
	}
	if err := syncDir(d.partial); err != nil {
		return fail("write", object, err)
	}
	return nil
}
