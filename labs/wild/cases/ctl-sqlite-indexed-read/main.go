// Orders of a customer from SQLite (modernc.org, compiled to Go), by an index, with a
// prepared statement, in WAL mode and with a connection for each client.
package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"

	_ "modernc.org/sqlite"

	"wild/service"
)

const (
	customers = 2000
	places    = 16
)

type order struct {
	ID    int64  `json:"id"`
	Total int64  `json:"total"`
	State string `json:"state"`
}

func main() {
	dir, err := os.MkdirTemp("", "orders-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "orders.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(normal)")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(places)
	db.SetMaxIdleConns(places)
	fill(db)
	byCustomer, err := db.Prepare("SELECT id, total, state FROM orders WHERE customer = ? ORDER BY id LIMIT 10")
	if err != nil {
		log.Fatal(err)
	}

	var seq atomic.Int64
	http.HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) {
		rows, err := byCustomer.QueryContext(r.Context(), seq.Add(1)*37%customers)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer rows.Close()
		var all []order
		for rows.Next() {
			var o order
			if err := rows.Scan(&o.ID, &o.Total, &o.State); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			all = append(all, o)
		}
		if err := rows.Err(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(all)
	})
	service.Run(http.DefaultServeMux)
}

// fill makes 20,000 orders, ten for each customer.
func fill(db *sql.DB) {
	tx, err := db.Begin()
	if err != nil {
		log.Fatal(err)
	}
	for _, q := range []string{
		"CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, total INTEGER, state TEXT)",
		"CREATE INDEX orders_by_customer ON orders (customer)",
	} {
		if _, err := tx.Exec(q); err != nil {
			log.Fatal(err)
		}
	}
	insert, err := tx.Prepare("INSERT INTO orders (customer, total, state) VALUES (?, ?, ?)")
	if err != nil {
		log.Fatal(err)
	}
	for i := range 10 * customers {
		if _, err := insert.Exec(i%customers, i*19%997, fmt.Sprint("state ", i%5)); err != nil {
			log.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		log.Fatal(err)
	}
}
