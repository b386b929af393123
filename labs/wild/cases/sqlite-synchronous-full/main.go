// Passes of a toll road: each gantry says which tag went below it, and is told what that tag has paid today. All of it is in one SQLite file,
// with a write-ahead log.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	_ "modernc.org/sqlite"

	"wild/service"
)

const schema = `
CREATE TABLE passes (id INTEGER PRIMARY KEY, tag INTEGER NOT NULL, gantry INTEGER NOT NULL, cents INTEGER NOT NULL);
CREATE INDEX passes_of_tag ON passes (tag, cents);`

// road has gantries.
type road struct {
	db          *sql.DB
	insert, sum *sql.Stmt
}

func open(ctx context.Context, dir string) (*road, error) {
	dsn := "file:" + filepath.Join(dir, "road.db") + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)"
	if service.After() {
		dsn += "&_pragma=synchronous(NORMAL)"
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // gantries wait for each other here, and not in SQLite's sleeps
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, err
	}
	r := &road{db: db}
	if r.insert, err = db.PrepareContext(ctx, "INSERT INTO passes (tag, gantry, cents) VALUES (?, ?, ?)"); err != nil {
		return nil, err
	}
	r.sum, err = db.PrepareContext(ctx, "SELECT COUNT(*), SUM(cents) FROM (SELECT cents FROM passes WHERE tag = ? LIMIT 50)")
	return r, err
}

// pass notes that a tag went below a gantry.
func (r *road) pass(ctx context.Context, tag, gantry int) (passes, cents int, err error) {
	if _, err := r.insert.ExecContext(ctx, tag, gantry, 120+gantry%7*15); err != nil {
		return 0, 0, err
	}
	err = r.sum.QueryRowContext(ctx, tag).Scan(&passes, &cents)
	return passes, cents, err
}

func (r *road) serve(w http.ResponseWriter, req *http.Request) {
	gantry, err := strconv.Atoi(req.PathValue("gantry"))
	if err != nil {
		http.Error(w, "which gantry?", http.StatusBadRequest)
		return
	}
	tag, err := strconv.Atoi(req.PathValue("tag"))
	if err != nil {
		http.Error(w, "which tag?", http.StatusBadRequest)
		return
	}
	passes, cents, err := r.pass(req.Context(), tag, gantry)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]int{"tag": tag, "passes": passes, "cents": cents})
}

func main() {
	dir, err := os.MkdirTemp("", "road-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	r, err := open(context.Background(), dir)
	if err != nil {
		log.Fatal(err)
	}
	defer r.db.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /gantries/{gantry}/passes/{tag}", r.serve)
	service.Run(mux)
}
