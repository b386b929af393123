// Loans of a library: what a reader has at home for too long, and what is owed for that, from an SQL database.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/georgysavva/scany/sqlscan"
	_ "modernc.org/sqlite"

	"wild/service"
)

// place is where a copy belongs.
type place struct {
	Branch string `db:"branch" json:"branch,omitempty"`
	Floor  int    `db:"floor" json:"floor,omitempty"`
	Shelf  string `db:"shelf" json:"shelf,omitempty"`
}

// loan is what a reader has at home. Each question of the desks fills in what it needs.
type loan struct {
	Copy    int64   `db:"copy" json:"copy"`
	Title   string  `db:"title" json:"title"`
	Author  string  `db:"author" json:"author,omitempty"`
	Year    int     `db:"year" json:"year,omitempty"`
	Since   int64   `db:"since" json:"since,omitempty"`
	Due     int64   `db:"due" json:"due"`
	Renewed int     `db:"renewed" json:"renewed,omitempty"`
	Wanted  bool    `db:"wanted" json:"wanted,omitempty"`
	Fee     float64 `db:"fee" json:"fee"`
	Note    string  `db:"note" json:"note,omitempty"`
	place
}

// owed is what the desk sees of a reader.
type owed struct {
	Reader int     `json:"reader"`
	Loans  int     `json:"loans"`
	Late   []loan  `json:"late"`
	Fee    float64 `json:"fee"`
}

// library has readers, and what they have at home.
type library struct {
	db    *sql.DB
	loans *sql.Stmt
}

const readers, each = 200, 80

func open(folder string) (*library, error) {
	db, err := sql.Open("sqlite", filepath.Join(folder, "loans.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(off)")
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec(`CREATE TABLE loans (reader INTEGER, copy INTEGER, title TEXT, author TEXT, shelf TEXT, branch TEXT,
		since INTEGER, due INTEGER, renewed INTEGER, wanted BOOLEAN, fee REAL); CREATE INDEX of_reader ON loans (reader, copy, title, due, fee)`); err != nil {
		return nil, err
	}
	tx, err := db.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	for i := range readers * each {
		_, err := tx.Exec("INSERT INTO loans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", i%readers, i, fmt.Sprintf("Volume %d", i%9000),
			fmt.Sprintf("Author %d", i%1700), fmt.Sprintf("%c%d", 'A'+i%20, i%300), fmt.Sprintf("branch %d", i%12), 1_700_000_000+i, 1_702_000_000+i, i%3, i%7 == 0, float64(i%5)/2)
		if err != nil {
			return nil, err
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, err
	}
	loans, err := db.Prepare("SELECT copy, title, due, fee FROM loans WHERE reader = ?")
	return &library{db, loans}, err
}

// of returns what a reader has at home for too long, and what is owed for all of it.
func (l *library) of(ctx context.Context, reader int) (out owed, err error) {
	out.Reader = reader
	rows, err := l.loans.QueryContext(ctx, reader)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	scan := func(to *loan) error { return sqlscan.ScanRow(to, rows) }
	if service.After() {
		scanner := sqlscan.NewRowScanner(rows)
		scan = func(to *loan) error { return scanner.Scan(to) }
	}
	for rows.Next() {
		var one loan
		if err := scan(&one); err != nil {
			return out, err
		}
		out.Loans++
		out.Fee += one.Fee
		if one.Fee > 1.5 {
			out.Late = append(out.Late, one)
		}
	}
	return out, rows.Err()
}

func (l *library) serve(w http.ResponseWriter, r *http.Request) {
	reader, err := strconv.Atoi(r.PathValue("reader"))
	if err != nil || reader < 0 || reader >= readers {
		http.Error(w, "there is no such reader", http.StatusNotFound)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	found, err := l.of(ctx, reader)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(found)
}

func main() {
	folder, err := os.MkdirTemp("", "library")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	l, err := open(folder)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readers/{reader}/owed", l.serve)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) {
		if err := l.db.PingContext(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	})
	service.Run(mux)
}
