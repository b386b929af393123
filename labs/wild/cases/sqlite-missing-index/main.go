// A shop's API over SQLite: the last orders of one customer. The table has no
// index on the customer, so that each request reads all orders and sorts.
package main

import (
	"database/sql"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	_ "modernc.org/sqlite"
	"wild/service"
)

const (
	customers = 500
	orders    = 50000
)

type order struct {
	ID      int64  `json:"id"`
	Created int64  `json:"created"`
	Total   int64  `json:"total"`
	State   string `json:"state"`
}

func main() {
	dir, err := os.MkdirTemp("", "shop-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "shop.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(normal)")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(8)
	if err := fill(db); err != nil {
		log.Fatal(err)
	}
	last, err := db.Prepare(`SELECT id, created, total, state FROM orders WHERE customer = ? ORDER BY created DESC LIMIT 10`)
	if err != nil {
		log.Fatal(err)
	}

	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) {
		customer := seq.Add(1) * 7919 % customers
		rows, err := last.QueryContext(r.Context(), customer)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer rows.Close()
		list := make([]order, 0, 10)
		for rows.Next() {
			var o order
			if err := rows.Scan(&o.ID, &o.Created, &o.Total, &o.State); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			list = append(list, o)
		}
		json.NewEncoder(w).Encode(list)
	})
	service.Run(mux)
}

func fill(db *sql.DB) error {
	if _, err := db.Exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, created INTEGER, total INTEGER, state TEXT, note TEXT)`); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	ins, err := tx.Prepare(`INSERT INTO orders (customer, created, total, state, note) VALUES (?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	for i := 0; i < orders; i++ {
		if _, err := ins.Exec(i*7919%customers, 1700000000+i*61%orders, i%9000, "paid", "order number "+strconv.Itoa(i)+", leave it at the door"); err != nil {
			return err
		}
	}
	if service.After() {
		if _, err := tx.Exec(`CREATE INDEX orders_customer ON orders (customer, created)`); err != nil {
			return err
		}
	}
	return tx.Commit()
}
