// Counters in SQLite, through zombiezen.com/go/sqlite: each request adds to one and
// notes it in a journal, in a transaction, with a connection from the pool.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"wild/service"
)

const counters = 200

func main() {
	dir, err := os.MkdirTemp("", "counters-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	places := 16
	if service.After() {
		places = 1 // SQLite has one writer at a time
	}
	pool, err := sqlitex.NewPool("file:"+filepath.Join(dir, "counters.db"), sqlitex.PoolOptions{
		PoolSize: places,
		PrepareConn: func(c *sqlite.Conn) error {
			return sqlitex.ExecuteTransient(c, "PRAGMA synchronous = normal", nil)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	if err := fill(pool); err != nil {
		log.Fatal(err)
	}
	var seq atomic.Int64
	http.HandleFunc("/add", func(w http.ResponseWriter, r *http.Request) {
		n, err := add(r.Context(), pool, seq.Add(1)%counters)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, n)
	})
	service.Run(http.DefaultServeMux)
}

func add(ctx context.Context, pool *sqlitex.Pool, id int64) (value int64, err error) {
	conn, err := pool.Take(ctx)
	if err != nil {
		return 0, err
	}
	defer pool.Put(conn)
	end, err := sqlitex.ImmediateTransaction(conn)
	if err != nil {
		return 0, err
	}
	defer end(&err)
	err = sqlitex.Execute(conn, "UPDATE counter SET value = value + 1 WHERE id = ? RETURNING value", &sqlitex.ExecOptions{
		Args:       []any{id},
		ResultFunc: func(s *sqlite.Stmt) error { value = s.ColumnInt64(0); return nil },
	})
	if err != nil {
		return 0, err
	}
	err = sqlitex.Execute(conn, "INSERT INTO journal (slot, counter, value) VALUES (?, ?, ?) ON CONFLICT (slot) DO UPDATE SET counter = excluded.counter, value = excluded.value",
		&sqlitex.ExecOptions{Args: []any{value % 1000, id, value}})
	return value, err
}

func fill(pool *sqlitex.Pool) error {
	conn, err := pool.Take(context.Background())
	if err != nil {
		return err
	}
	defer pool.Put(conn)
	return sqlitex.ExecuteScript(conn, fmt.Sprintf(`
CREATE TABLE counter (id INTEGER PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE journal (slot INTEGER PRIMARY KEY, counter INTEGER NOT NULL, value INTEGER NOT NULL);
INSERT INTO counter (id, value) WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i, 0 FROM n;
`, counters-1), nil)
}
