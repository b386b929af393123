package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/unpark-go/unpark"
)

// Index lists the runs of one folder. Its methods may be called from several goroutines.
type Index struct {
	root string
	file string // "": in memory

	refreshing sync.Mutex // one refresh at a time

	mu      sync.Mutex
	db      *sql.DB
	notices []unpark.Notice
}

// File is where the index of a folder lies by default: in the user's cache, by the folder's absolute path.
func File(root string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the user's cache for the index: %w: set XDG_CACHE_HOME", err)
	}
	absolute, err := filepath.Abs(root)
	if err != nil {
		return "", fmt.Errorf("index %s: %w", root, err)
	}
	sum := sha256.Sum256([]byte(absolute))
	return filepath.Join(cache, "unpark", "index-"+hex.EncodeToString(sum[:8])+".sqlite"), nil
}

// Open opens the index of a folder in a file, which is made where it is not there; "" keeps it in memory. It is as old as the last
// [Index.Refresh]. A file that is no index is replaced, one that cannot be used is left alone: the index is then in memory. Notices say
// so. It is an error when the folder cannot be read.
func Open(ctx context.Context, root, file string) (*Index, error) {
	info, err := os.Stat(root)
	if err == nil && !info.IsDir() {
		err = errors.New("it is a file")
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("open the folder of runs %s: it is not there: unpark run makes unpark-runs where it is called; go there, or name the folder", root)
	case err != nil:
		return nil, fmt.Errorf("open the folder of runs %s: %w: name the folder that unpark run writes to (unpark-runs)", root, err)
	}
	x := &Index{root: root, file: file}
	if err := x.connect(ctx); err != nil {
		return nil, err
	}
	return x, nil
}

// connect opens the file, throws away what is no index, or goes on in memory.
func (x *Index) connect(ctx context.Context) error {
	db, err := connect(ctx, x.file)
	if err != nil && broken(err) {
		x.note("index-replaced", fmt.Sprintf("the index %s could not be read (%v) and was made again", x.file, err), "none is needed: runs, notes and tags are not in it")
		if err = discard(x.file); err == nil {
			db, err = connect(ctx, x.file)
		}
	}
	if err != nil && x.file != "" {
		x.note("index-in-memory", fmt.Sprintf("the index %s cannot be used (%v): it is kept in memory, and every start reads all runs", x.file, err),
			"end the process that holds it, or remove the file")
		x.file = ""
		db, err = connect(ctx, "")
	}
	if err != nil {
		return fmt.Errorf("make an index of %s: %w", x.root, err)
	}
	x.db = db
	return nil
}

// discard removes an index and what SQLite leaves beside one.
func discard(file string) error {
	for _, name := range []string{file, file + "-journal", file + "-wal", file + "-shm"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// again replaces an index that broke while it was in use. It holds nothing that is not in the folder.
func (x *Index) again(ctx context.Context, cause error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	_ = x.db.Close() // it is broken
	if !broken(cause) {
		x.note("index-in-memory", fmt.Sprintf("the index %s cannot be written (%v): it is kept in memory", x.file, cause), "free space on the disk, or end the process that holds it")
		x.file = ""
	}
	return x.connect(ctx)
}

func (x *Index) note(code, message, cure string) {
	n := unpark.Notice{Code: code, Message: message, Cure: cure}
	if !slices.Contains(x.notices, n) {
		x.notices = append(x.notices, n)
	}
}

// Notices says what was wrong with the index file and with parts of the folder.
func (x *Index) Notices() []unpark.Notice {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]unpark.Notice{}, x.notices...)
}

// Root is the folder.
func (x *Index) Root() string { return x.root }

// Close ends the use of the index.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.db.Close()
}

func (x *Index) database() *sql.DB {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.db
}
