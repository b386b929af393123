// An ingest endpoint: a request stores one batch of sensor readings with one
// multi-row INSERT, as ORMs' CreateInBatches does.
package main

import (
	"database/sql"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	_ "modernc.org/sqlite"
	"wild/service"
)

const (
	rows    = 800
	columns = 5
)

func main() {
	dir, err := os.MkdirTemp("", "sensors-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "sensors.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(off)&_pragma=busy_timeout(5000)")
	if err != nil {
		log.Fatal(err)
	}
	// SQLite has one writer.
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE TABLE readings (sensor INTEGER, at INTEGER, value REAL, unit TEXT, ok INTEGER, PRIMARY KEY (sensor)) WITHOUT ROWID`); err != nil {
		log.Fatal(err)
	}
	insert, err := db.Prepare(`INSERT OR REPLACE INTO readings VALUES ` +
		strings.TrimSuffix(strings.Repeat("(?, ?, ?, ?, ?), ", rows), ", "))
	if err != nil {
		log.Fatal(err)
	}

	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/readings", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		args := make([]any, 0, rows*columns)
		for i := int64(0); i < rows; i++ {
			args = append(args, (n%8)*rows+i, n, float64(i)/7, "C", true)
		}
		res, err := insert.ExecContext(r.Context(), args...)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		stored, _ := res.RowsAffected()
		fmt.Fprintln(w, stored)
	})
	service.Run(mux)
}
