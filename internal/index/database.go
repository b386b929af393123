package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const tables = `
CREATE TABLE rows (
	path TEXT PRIMARY KEY, modified INTEGER NOT NULL, size INTEGER NOT NULL,
	kind TEXT NOT NULL, started INTEGER NOT NULL, service TEXT NOT NULL, series TEXT NOT NULL, document TEXT NOT NULL, brief TEXT NOT NULL);
CREATE INDEX rows_started ON rows (started);
CREATE TABLE functions (name TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (name, path)) WITHOUT ROWID;
CREATE INDEX functions_path ON functions (path);`

// broken reports an error of a file that is no index, or no longer one.
func broken(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == sqlite3.SQLITE_CORRUPT || e.Code()&0xff == sqlite3.SQLITE_NOTADB) || errors.Is(err, errLayout)
}

var errLayout = errors.New("it is the index of another version of unpark")

// connect opens an index, and makes its tables where it has none. No file is an index in memory.
func connect(ctx context.Context, file string) (*sql.DB, error) {
	// What is lost with the machine is read again, so nothing waits for the disk.
	pragmas := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", patience), "synchronous(OFF)"}}
	name := "file::memory:?" + pragmas.Encode()
	if file != "" {
		if err := private(file); err != nil {
			return nil, err
		}
		at := filepath.ToSlash(file)
		if runtime.GOOS == "windows" {
			at = "/" + at
		}
		name = (&url.URL{Scheme: "file", Path: at, RawQuery: pragmas.Encode()}).String()
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // one in memory is one connection
	if err := prepare(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// private makes the file and its folder for this user alone, before SQLite would make it for all.
func private(file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func prepare(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version == layout {
		var sound string
		if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&sound); err != nil {
			return err
		}
		if sound != "ok" {
			return fmt.Errorf("%w: %s", errLayout, sound)
		}
		return nil
	}
	if version != 0 {
		return errLayout
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if _, err := tx.ExecContext(ctx, tables+fmt.Sprintf("PRAGMA user_version = %d;", layout)); err != nil {
		return err
	}
	return tx.Commit()
}
