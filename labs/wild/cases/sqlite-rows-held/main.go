// An order board: the open orders come from SQLite, the courier of each from
// another service. The rows stay open while that service is asked, and with them
// one of the few connections of the pool.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite"
	"wild/service"
)

const boards = 200

type line struct {
	Order   int64
	Courier string
}

type app struct {
	db       *sql.DB
	couriers string
	client   *http.Client
}

func main() {
	dir, err := os.MkdirTemp("", "board-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "board.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(normal)")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	if err := fill(db); err != nil {
		log.Fatal(err)
	}
	a := &app{
		db:       db,
		couriers: startCouriers(),
		client:   &http.Client{Transport: &http.Transport{MaxIdleConns: 256, MaxIdleConnsPerHost: 256}},
	}

	load := a.loadHolding
	if service.After() {
		load = a.loadThenAsk
	}
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/board", func(w http.ResponseWriter, r *http.Request) {
		lines, err := load(r.Context(), seq.Add(1)%boards)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		json.NewEncoder(w).Encode(lines)
	})
	service.Run(mux)
}

// loadHolding asks for each courier while it walks the rows.
func (a *app) loadHolding(ctx context.Context, board int64) ([]line, error) {
	rows, err := a.db.QueryContext(ctx, `SELECT id FROM orders WHERE board = ? ORDER BY id`, board)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var lines []line
	for rows.Next() {
		var l line
		if err := rows.Scan(&l.Order); err != nil {
			return nil, err
		}
		if l.Courier, err = a.courier(ctx, l.Order); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, rows.Err()
}

// loadThenAsk gives the connection back before it asks.
func (a *app) loadThenAsk(ctx context.Context, board int64) ([]line, error) {
	rows, err := a.db.QueryContext(ctx, `SELECT id FROM orders WHERE board = ? ORDER BY id`, board)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var lines []line
	for rows.Next() {
		var l line
		if err := rows.Scan(&l.Order); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	if err := rows.Close(); err != nil {
		return nil, err
	}
	for i := range lines {
		if lines[i].Courier, err = a.courier(ctx, lines[i].Order); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

func (a *app) courier(ctx context.Context, order int64) (string, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", a.couriers+"/courier/"+strconv.FormatInt(order, 10), nil)
	if err != nil {
		return "", err
	}
	res, err := a.client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

// startCouriers is the other service; an answer takes it 8 ms.
func startCouriers() string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(8 * time.Millisecond)
		io.WriteString(w, "courier of "+r.URL.Path)
	}))
	return "http://" + ln.Addr().String()
}

func fill(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, board INTEGER)`); err != nil {
		return err
	}
	if _, err := tx.Exec(`CREATE INDEX orders_board ON orders (board)`); err != nil {
		return err
	}
	for i := 0; i < 3*boards; i++ {
		if _, err := tx.Exec(`INSERT INTO orders VALUES (?, ?)`, i+1, i%boards); err != nil {
			return err
		}
	}
	return tx.Commit()
}
