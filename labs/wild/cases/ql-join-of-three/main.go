// Rounds of a dairy: what each driver loads in a week, of all that customers get, out of a small database that is embedded in the service.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"

	"modernc.org/ql"

	"wild/service"
)

const loads = `
SELECT r.driver, d.product, d.bottles
FROM deliveries AS d, customers AS c, rounds AS r
WHERE d.customer == c.code && c.round == r.code;`

// dairy has a database.
type dairy struct{ db *sql.DB }

// load is what a driver has of a product.
type load struct {
	Driver  string `json:"driver"`
	Product string `json:"product"`
	Bottles int64  `json:"bottles"`
}

// fill makes the tables: eight rounds, two dozen customers, and what they get on each day of a week.
func fill(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var script strings.Builder
	script.WriteString("CREATE TABLE rounds (code int64, driver string);\n")
	script.WriteString("CREATE TABLE customers (code int64, round int64, name string);\n")
	script.WriteString("CREATE TABLE deliveries (customer int64, day int64, product string, bottles int64);\n")
	for r := range 8 {
		fmt.Fprintf(&script, "INSERT INTO rounds VALUES (%d, %q);\n", r, []string{"Ada", "Ben", "Cleo", "Dov"}[r%4])
	}
	for c := range 24 {
		fmt.Fprintf(&script, "INSERT INTO customers VALUES (%d, %d, %q);\n", 100+c, c%8, fmt.Sprintf("Customer %d", c))
		product := []string{"milk", "buttermilk", "yoghurt"}[c%3]
		fmt.Fprintf(&script, "INSERT INTO deliveries VALUES (%d, %d, %q, %d);\n", 100+c, c%7, product, 1+c%4)
	}
	if _, err := tx.ExecContext(ctx, script.String()); err != nil {
		return err
	}
	return tx.Commit()
}

func open() (*dairy, error) {
	ql.RegisterMemDriver()
	db, err := sql.Open("ql-mem", "dairy")
	if err != nil {
		return nil, err
	}
	return &dairy{db}, fill(context.Background(), db)
}

// week is what drivers load in a week.
func (d *dairy) week(ctx context.Context) ([]load, error) {
	rows, err := d.db.QueryContext(ctx, loads)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sums := map[[2]string]int64{}
	for rows.Next() {
		var driver, product string
		var bottles int64
		if err := rows.Scan(&driver, &product, &bottles); err != nil {
			return nil, err
		}
		sums[[2]string{driver, product}] += bottles
	}
	out := make([]load, 0, len(sums))
	for of, bottles := range sums {
		out = append(out, load{of[0], of[1], bottles})
	}
	return out, rows.Err()
}

// serve answers what a driver loads, or what all of them do.
func (d *dairy) serve(w http.ResponseWriter, r *http.Request) {
	all, err := d.week(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	mine := all[:0]
	for _, l := range all {
		if driver := r.PathValue("driver"); driver == "all" || l.Driver == driver {
			mine = append(mine, l)
		}
	}
	if len(mine) == 0 {
		http.Error(w, "there is no such driver", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(mine)
}

func main() {
	d, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /drivers/{driver}/week", d.serve)
	service.Run(mux)
}
