package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// errNotRegular is told of a folder, a device, a socket or a named pipe, which a reader
// would wait at for ever.
var errNotRegular = errors.New("it is no regular file")

// File opens a file in dir, a run's or any other folder that may come from elsewhere.
// name is relative to it, with slashes. What is no regular file, or lies outside by ".."
// or a symbolic link, is an error.
func File(dir, name string) (*os.File, error) {
	object := filepath.Join(dir, filepath.FromSlash(name))
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fail("open", object, err)
	}
	defer root.Close()
	f, err := regular(root, filepath.FromSlash(name))
	if err != nil {
		return nil, fail("open", object, err)
	}
	return f, nil
}

// regular opens a file below root. It looks before it opens, because opening a named pipe
// waits for a writer.
func regular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	if err != nil {
		return nil, err
	}
	return root.Open(name)
}
