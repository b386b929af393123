package target

import (
	"fmt"
	"os"
	"path/filepath"
)

// Folder is a folder for what is built, of this user alone. It is removed when it is not
// needed any more, on Linux also when unpark is killed.
type Folder struct {
	Path  string
	guard *guard
}

// MakeFolder makes a folder below base; empty: the user's cache, unpark/build there. It is
// not the temporary folder, because programs look at where they lie: PocketBase takes
// itself for a development build there (core.IsProbablyGoRun), and answers otherwise.
func MakeFolder(base string) (*Folder, error) {
	if base == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("make a folder for the build: %w: name one with --build-dir", err)
		}
		base = filepath.Join(cache, "unpark", "build")
	}
	base, err := filepath.Abs(base)
	if err == nil {
		err = os.MkdirAll(base, 0o700)
	}
	dir := ""
	if err == nil {
		dir, err = os.MkdirTemp(base, "")
	}
	if err != nil {
		return nil, fmt.Errorf("make a folder for the build in %s: %w: name another with --build-dir", base, cause(err))
	}
	return &Folder{Path: dir, guard: guardFolder(dir, "")}, nil
}

// Remove removes the folder. It does nothing for nil, and the second time.
func (f *Folder) Remove() error {
	if f == nil || f.Path == "" {
		return nil
	}
	err := os.RemoveAll(f.Path)
	f.guard.dismiss()
	f.guard = nil
	if err != nil {
		return fmt.Errorf("remove the build: %w: remove it by hand", err)
	}
	f.Path = ""
	return nil
}
