// A diary of machines: a request brings what a machine has measured, which is written to SQLite
// in one transaction, in WAL mode. There is one connection that writes, as SQLite has one writer.
// The lines of late are kept.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite"

	"wild/service"
)

const (
	pragmas = "?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(5000)"
	rows    = 12
	kept    = 12_000
)

type diary struct {
	db   *sql.DB
	next atomic.Int64
}

func (d *diary) write(ctx context.Context, machine string, lines []string) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, line := range lines {
		if _, err := tx.ExecContext(ctx, "insert or replace into line values (?, ?, ?, ?)", d.next.Add(1)%kept, machine, time.Now().UnixNano(), line); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// checkpoint copies what is in the log into the database now and then, on a connection of its own.
func checkpoint(path string) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for range time.Tick(100 * time.Millisecond) {
		if _, err := db.Exec("pragma wal_checkpoint(PASSIVE)"); err != nil {
			log.Println(err)
		}
	}
}

func main() {
	dir, err := os.MkdirTemp("", "diary-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := "file:" + filepath.Join(dir, "diary.db") + pragmas
	if service.After() {
		path += "&_pragma=wal_autocheckpoint(0)"
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("create table line (id integer primary key, machine text, at integer, body text)"); err != nil {
		log.Fatal(err)
	}
	if _, err := db.Exec("create index by_machine on line (machine, at)"); err != nil {
		log.Fatal(err)
	}
	if service.After() {
		go checkpoint(path)
	}
	d := &diary{db: db}
	http.HandleFunc("/measured", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		lines := make([]string, rows)
		for i := range lines {
			lines[i] = fmt.Sprint(i, " ", strings.Repeat(string(body), 100))
		}
		if err := d.write(r.Context(), r.FormValue("machine"), lines); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	service.Run(http.DefaultServeMux)
}
