package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// file is a file of a run: its errors name it, and Close forces it to disk.
type file struct {
	f      *os.File
	object string
}

func (w *file) Write(b []byte) (int, error) {
	n, err := w.f.Write(b)
	if err != nil {
		return n, fail("write", w.object, err)
	}
	return n, nil
}

func (w *file) Close() error {
	if err := errors.Join(w.f.Sync(), w.f.Close()); err != nil {
		return fail("write", w.object, err)
	}
	return nil
}

// syncDir makes the entries of a directory durable.
func syncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil // directories cannot be opened for it there
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	err = d.Sync()
	// Some network file systems do not know how to sync a directory.
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// fail says which operation failed on what, why, and what to do about it.
func fail(operation, object string, err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err // the path is in object already
	}
	if c := cure(err); c != "" {
		return fmt.Errorf("%s %s: %w; %s", operation, object, err, c)
	}
	return fmt.Errorf("%s %s: %w", operation, object, err)
}

func cure(err error) string {
	switch {
	case errors.Is(err, ErrExists):
		return "choose another --out, or remove it"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space, or choose an --out on another disk"
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return "choose an --out that you may write to"
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of the path is a file; choose another --out"
	case errors.Is(err, fs.ErrExist):
		return "files of a run are never overwritten; use another name"
	default:
		return ""
	}
}
