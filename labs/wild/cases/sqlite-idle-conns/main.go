// A lookup service over SQLite with the default pool of database/sql: it keeps two
// idle connections. With more requests under way most of them open the database
// anew, set it up, read its schema, ask once, and close it.
package main

import (
	"database/sql"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	_ "modernc.org/sqlite"
	"wild/service"
)

const words = 5000

func main() {
	dir, err := os.MkdirTemp("", "words-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "words.db")+"?_pragma=journal_mode(wal)&_pragma=busy_timeout(5000)&_pragma=foreign_keys(on)")
	if err != nil {
		log.Fatal(err)
	}
	if err := fill(db); err != nil {
		log.Fatal(err)
	}
	if service.After() {
		db.SetMaxOpenConns(16)
		db.SetMaxIdleConns(16)
	}

	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/word", func(w http.ResponseWriter, r *http.Request) {
		var text string
		err := db.QueryRowContext(r.Context(), `SELECT text FROM word WHERE id = ?`, seq.Add(1)%words).Scan(&text)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, text)
	})
	service.Run(mux)
}

func fill(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT)`); err != nil {
		return err
	}
	for i := 0; i < words; i++ {
		if _, err := tx.Exec(`INSERT INTO word VALUES (?, ?)`, i, "word "+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
