// A catalogue over SQLite: each request looks up the offers of a few articles
// with one prepared statement that joins four tables.
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

const articles = 2000

const offersOf = `SELECT a.name, s.name, w.city, o.price, o.stock
FROM offer o JOIN article a ON a.id = o.article JOIN seller s ON s.id = o.seller JOIN warehouse w ON w.id = s.warehouse
WHERE o.article = ? AND o.stock > 0 AND s.active = 1 ORDER BY o.price, s.name LIMIT 5`

type offer struct {
	Article, Seller, City string
	Price, Stock          int64
}

func main() {
	dir, err := os.MkdirTemp("", "catalogue-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "catalogue.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(normal)")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	if err := fill(db); err != nil {
		log.Fatal(err)
	}
	stmt, err := db.Prepare(offersOf)
	if err != nil {
		log.Fatal(err)
	}

	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/offers", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		var list []offer
		for i := int64(0); i < 8; i++ {
			more, err := offers(r, stmt, (n*31+i*97)%articles)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			list = append(list, more...)
		}
		json.NewEncoder(w).Encode(list)
	})
	service.Run(mux)
}

func offers(r *http.Request, stmt *sql.Stmt, article int64) ([]offer, error) {
	rows, err := stmt.QueryContext(r.Context(), article)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []offer
	for rows.Next() {
		var o offer
		if err := rows.Scan(&o.Article, &o.Seller, &o.City, &o.Price, &o.Stock); err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, rows.Err()
}

func fill(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, q := range []string{
		`CREATE TABLE article (id INTEGER PRIMARY KEY, name TEXT)`,
		`CREATE TABLE warehouse (id INTEGER PRIMARY KEY, city TEXT)`,
		`CREATE TABLE seller (id INTEGER PRIMARY KEY, name TEXT, warehouse INTEGER, active INTEGER)`,
		`CREATE TABLE offer (id INTEGER PRIMARY KEY, article INTEGER, seller INTEGER, price INTEGER, stock INTEGER)`,
		`CREATE INDEX offer_article ON offer (article, price)`,
	} {
		if _, err := tx.Exec(q); err != nil {
			return err
		}
	}
	for i := 0; i < articles; i++ {
		if _, err := tx.Exec(`INSERT INTO article VALUES (?, ?)`, i, "article "+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	for i := 0; i < 20; i++ {
		if _, err := tx.Exec(`INSERT INTO warehouse VALUES (?, ?)`, i, "city "+strconv.Itoa(i)); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO seller VALUES (?, ?, ?, 1)`, i, "seller "+strconv.Itoa(i), i*7%20); err != nil {
			return err
		}
	}
	for i := 0; i < 2*articles; i++ {
		if _, err := tx.Exec(`INSERT INTO offer VALUES (?, ?, ?, ?, ?)`, i, i%articles, i%20, i*37%1000, 1+i%9); err != nil {
			return err
		}
	}
	return tx.Commit()
}
