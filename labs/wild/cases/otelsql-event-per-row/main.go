// Readings of machines in a workshop: what they measured is in SQLite, and is shown as a curve of a hundred points, for
// which the readings of a day are read. Queries are traced, and traces go to a collector.
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

	"github.com/XSAM/otelsql"
	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	_ "modernc.org/sqlite"

	"wild/service"
)

// collector takes spans, as one of a batch would.
type collector struct{}

func (collector) ExportSpans(context.Context, []sdk.ReadOnlySpan) error { return nil }
func (collector) Shutdown(context.Context) error                        { return nil }

// point is of a curve.
type point struct {
	Minute int     `json:"minute"`
	Mean   float64 `json:"mean"`
	Most   float64 `json:"most"`
}

type curve struct {
	Machine string  `json:"machine"`
	Day     int     `json:"day"`
	Points  []point `json:"points"`
}

// workshop has the readings.
type workshop struct {
	db  *sql.DB
	day *sql.Stmt
}

const perDay = 1440

func open(dir string, traces *sdk.TracerProvider) (*workshop, error) {
	db, err := otelsql.Open("sqlite", "file:"+filepath.Join(dir, "readings.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(normal)",
		otelsql.WithTracerProvider(traces),
		otelsql.WithAttributes(attribute.String("db.system", "sqlite")),
		otelsql.WithSpanOptions(otelsql.SpanOptions{RowsNext: !service.After()}))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(16)
	w := &workshop{db: db}
	if err := w.fill(); err != nil {
		return nil, err
	}
	w.day, err = db.Prepare(`SELECT at, value FROM readings WHERE machine = ? AND day = ? ORDER BY at`)
	return w, err
}

// fill has readings of six machines, of ten days.
func (w *workshop) fill() error {
	if _, err := w.db.Exec(`CREATE TABLE readings (machine TEXT, day INTEGER, at INTEGER, value REAL, PRIMARY KEY (machine, day, at)) WITHOUT ROWID`); err != nil {
		return err
	}
	tx, err := w.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for m := range 6 {
		for d := range 10 {
			_, err := tx.Exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO readings SELECT ?, ?, i, 20.5 + (i * 7919 + ?) % 301 / 10.0 FROM n`,
				perDay-1, "m"+strconv.Itoa(m), d, m*d)
			if err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

func (w *workshop) curve(ctx context.Context, machine string, day int) (curve, error) {
	c := curve{Machine: machine, Day: day}
	rows, err := w.day.QueryContext(ctx, machine, day)
	if err != nil {
		return c, err
	}
	defer rows.Close()
	const wide = perDay / 96
	p, n := point{}, 0
	for rows.Next() {
		var at int
		var value float64
		if err := rows.Scan(&at, &value); err != nil {
			return c, err
		}
		if n == 0 || value > p.Most {
			p.Most = value
		}
		p.Mean += value
		if n++; n == wide {
			p.Minute, p.Mean = at-wide+1, p.Mean/wide
			c.Points = append(c.Points, p)
			p, n = point{}, 0
		}
	}
	return c, rows.Err()
}

func main() {
	dir, err := os.MkdirTemp("", "readings")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	traces := sdk.NewTracerProvider(sdk.WithBatcher(collector{}))
	w, err := open(dir, traces)
	if err != nil {
		log.Fatal(err)
	}
	tracer := traces.Tracer("workshop")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /machines/{machine}/days/{day}", func(rw http.ResponseWriter, r *http.Request) {
		day, err := strconv.Atoi(r.PathValue("day"))
		if err != nil || day < 0 {
			http.Error(rw, "a day has a number", http.StatusBadRequest)
			return
		}
		ctx, span := tracer.Start(r.Context(), "curve")
		defer span.End()
		c, err := w.curve(ctx, r.PathValue("machine"), day)
		switch {
		case err != nil:
			http.Error(rw, err.Error(), http.StatusInternalServerError)
			return
		case len(c.Points) == 0:
			http.Error(rw, fmt.Sprintf("nothing of %s on day %d", c.Machine, day), http.StatusNotFound)
			return
		}
		rw.Header().Set("Content-Type", "application/json")
		json.NewEncoder(rw).Encode(c)
	})
	service.Run(mux)
	traces.Shutdown(context.Background())
	w.db.Close()
}
