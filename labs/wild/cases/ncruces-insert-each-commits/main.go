// Measurements of loggers: a logger posts what it measured since the last time, and all of it is written to an
// SQLite file before it is answered, with the sums of the day.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"time"

	_ "github.com/ncruces/go-sqlite3/driver"

	"wild/service"
)

const schema = `
create table if not exists measurement (id integer primary key, logger text not null, at integer not null, kind text not null, value real not null);
create table if not exists day (logger text not null, kind text not null, n integer not null, sum real not null, primary key (logger, kind)) without rowid;
`

// value is one that was measured.
type value struct {
	At    int64   `json:"at"`
	Kind  string  `json:"kind"`
	Value float64 `json:"value"`
}

// store keeps measurements. One connection writes: SQLite has one writer at a time.
type store struct{ db *sql.DB }

func open(dir string) (*store, error) {
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "loggers.db")+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(schema); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return &store{db}, nil
}

// execer is a database or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func write(ctx context.Context, to execer, logger string, values []value) error {
	for _, v := range values {
		if _, err := to.ExecContext(ctx, "insert into measurement (logger, at, kind, value) values (?, ?, ?, ?)", logger, v.At, v.Kind, v.Value); err != nil {
			return fmt.Errorf("insert %s at %d: %w", v.Kind, v.At, err)
		}
		if _, err := to.ExecContext(ctx, "insert into day (logger, kind, n, sum) values (?, ?, 1, ?) on conflict do update set n = n + 1, sum = sum + excluded.sum", logger, v.Kind, v.Value); err != nil {
			return fmt.Errorf("add %s: %w", v.Kind, err)
		}
	}
	return nil
}

func (s *store) save(ctx context.Context, logger string, values []value) error {
	if !service.After() {
		return write(ctx, s.db, logger, values)
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := write(ctx, tx, logger, values); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *store) mean(ctx context.Context, logger string) (map[string]float64, error) {
	rows, err := s.db.QueryContext(ctx, "select kind, sum / n from day where logger = ?", logger)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]float64{}
	for rows.Next() {
		var kind string
		var mean float64
		if err := rows.Scan(&kind, &mean); err != nil {
			return nil, err
		}
		out[kind] = mean
	}
	return out, rows.Err()
}

func check(values []value) error {
	if len(values) == 0 || len(values) > 500 {
		return errors.New("1 to 500 values")
	}
	for _, v := range values {
		if v.Kind == "" || v.At <= 0 {
			return fmt.Errorf("value of kind %q at %d", v.Kind, v.At)
		}
	}
	return nil
}

func main() {
	dir, err := os.MkdirTemp("", "loggers-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /loggers/{logger}", func(w http.ResponseWriter, r *http.Request) {
		var values []value
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&values); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := check(values); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
		defer cancel()
		if err := s.save(ctx, r.PathValue("logger"), values); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		mean, err := s.mean(ctx, r.PathValue("logger"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(mean)
	})
	service.Run(http.DefaultServeMux)
}
