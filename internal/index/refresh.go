package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/store"
)

// Refresh brings the index up to date with the folder and reports whether anything changed. tell, which may be nil, is called with how many
// documents were read of how many that have to be.
func (x *Index) Refresh(ctx context.Context, tell func(done, of int)) (bool, error) {
	x.refreshing.Lock()
	defer x.refreshing.Unlock()
	all, hidden, err := scan(ctx, x.root)
	if err != nil {
		return false, err
	}
	for _, at := range hidden {
		x.mu.Lock()
		x.note("folder-unreadable", at+" could not be read; runs in it are missing here", "start unpark ui as the user who made them")
		x.mu.Unlock()
	}
	changed, err := x.update(ctx, all, tell)
	if err != nil && ctx.Err() == nil {
		if err := x.again(ctx, err); err != nil {
			return false, err
		}
		changed, err = x.update(ctx, all, tell)
	}
	if err != nil {
		return false, fmt.Errorf("update the index of %s: %w", x.root, err)
	}
	return changed, nil
}

// stamp tells whether a document is the one that was read.
type stamp struct{ modified, size int64 }

func (x *Index) update(ctx context.Context, all []found, tell func(done, of int)) (bool, error) {
	db := x.database()
	known, err := stamps(ctx, db)
	if err != nil {
		return false, err
	}
	var fresh []found
	for _, f := range all {
		was, ok := known[f.path]
		delete(known, f.path)
		if !ok || was != f.stamp() {
			fresh = append(fresh, f)
		}
	}
	if err := forget(ctx, db, known); err != nil {
		return false, err
	}
	for done := 0; done < len(fresh); {
		if tell != nil {
			tell(done, len(fresh))
		}
		part := fresh[done:min(done+batch, len(fresh))]
		if err := x.write(ctx, db, part); err != nil {
			return false, err
		}
		done += len(part)
	}
	if tell != nil {
		tell(len(fresh), len(fresh))
	}
	return len(fresh)+len(known) > 0, nil
}

func (f found) stamp() stamp {
	if f.modified.IsZero() {
		return stamp{0, f.size}
	}
	return stamp{f.modified.UnixNano(), f.size}
}

func stamps(ctx context.Context, db *sql.DB) (map[string]stamp, error) {
	rows, err := db.QueryContext(ctx, "SELECT path, modified, size FROM rows")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	out := map[string]stamp{}
	for rows.Next() {
		var at string
		var s stamp
		if err := rows.Scan(&at, &s.modified, &s.size); err != nil {
			return nil, err
		}
		out[at] = s
	}
	return out, rows.Err()
}

// forget removes what is gone from the folder.
func forget(ctx context.Context, db *sql.DB, gone map[string]stamp) error {
	if len(gone) == 0 {
		return nil
	}
	return inOne(ctx, db, func(tx *sql.Tx) error {
		for at := range gone {
			if err := remove(ctx, tx, at); err != nil {
				return err
			}
		}
		return nil
	})
}

func remove(ctx context.Context, tx *sql.Tx, at string) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM rows WHERE path = ?", at)
	_, also := tx.ExecContext(ctx, "DELETE FROM functions WHERE path = ?", at)
	return errors.Join(err, also)
}

// write reads documents, and then writes all of them at once.
func (x *Index) write(ctx context.Context, db *sql.DB, part []found) error {
	type entry struct {
		found
		row   Row
		names []string
	}
	entries := make([]entry, 0, len(part))
	for _, f := range part {
		if err := ctx.Err(); err != nil {
			return err
		}
		row, names := x.read(f)
		row = row.named(f.path, f.modified)
		row.Parent = f.parent
		row.clean()
		entries = append(entries, entry{f, row, names})
	}
	return inOne(ctx, db, func(tx *sql.Tx) error {
		for _, e := range entries {
			document, err := json.Marshal(e.row)
			if err != nil {
				return err
			}
			brief, err := json.Marshal(e.row.brief())
			if err != nil {
				return err
			}
			if err := remove(ctx, tx, e.path); err != nil {
				return err
			}
			s := e.stamp()
			if _, err := tx.ExecContext(ctx, "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
				e.path, s.modified, s.size, e.row.Kind, e.row.Started.UnixMilli(), e.row.Service, e.row.Series, string(document), string(brief)); err != nil {
				return err
			}
			for _, name := range e.names {
				if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO functions VALUES (?, ?)", name, e.path); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func inOne(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// read makes the row of a directory.
func (x *Index) read(f found) (Row, []string) {
	dir := filepath.Join(x.root, filepath.FromSlash(f.path))
	switch {
	case f.kind == Run:
		r, _, err := store.Open(dir)
		if err != nil {
			return unreadable(Run, dir, err), nil
		}
		return runRow(r), functions(r)
	case f.file == "":
		return Row{Kind: f.kind, State: Partial, Why: "the experiment has not ended, or was stopped"}, nil
	case f.kind == AB:
		var c unpark.Comparison
		if err := document(dir, f.file, unpark.SchemaAB, &c); err != nil {
			return unreadable(AB, dir, err), nil
		}
		return abRow(c), nil
	default:
		var b unpark.Bisection
		if err := document(dir, f.file, unpark.SchemaBisect, &b); err != nil {
			return unreadable(Bisect, dir, err), nil
		}
		return bisectRow(b), nil
	}
}

// document reads the document of an experiment.
func document(dir, name, schema string, into any) error {
	object := path.Join(filepath.ToSlash(dir), name)
	f, err := store.File(dir, name)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largest))
	if err != nil {
		return fmt.Errorf("read %s: %w", object, err)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return fmt.Errorf("read %s: %w: repeat the experiment", object, err)
	}
	if head.Schema != schema {
		return fmt.Errorf("read %s: schema %q is not known to this unpark, which reads %s; use the version of unpark that wrote it, or a newer one",
			object, strings.TrimSpace(head.Schema), schema)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("read %s: %w: repeat the experiment", object, err)
	}
	return nil
}
