// Visits of doors: each door of a building says which card was held before it, and is told whether to open; the porter looks
// at the last visits. All of it is in one SQLite file on the disk of the building's computer.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	_ "modernc.org/sqlite"

	"wild/service"
)

type card struct {
	bun.BaseModel `bun:"table:cards"`
	Number        int64  `bun:",pk"`
	Name          string `bun:",notnull"`
	Floor         int    `bun:",notnull"`
}

type visit struct {
	bun.BaseModel `bun:"table:visits"`
	ID            int64     `bun:",pk,autoincrement" json:"id"`
	Card          int64     `bun:",notnull" json:"card"`
	Door          int       `bun:",notnull" json:"door"`
	At            time.Time `bun:",notnull" json:"at"`
	Opened        bool      `bun:",notnull" json:"opened"`
}

// building has doors.
type building struct{ db *bun.DB }

func open(ctx context.Context, dir string) (*building, error) {
	dsn := "file:" + filepath.Join(dir, "building.db") + "?_pragma=busy_timeout(10000)"
	if service.After() {
		dsn += "&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)"
	}
	pool, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1) // doors wait for each other here, and not in SQLite's sleeps
	b := &building{bun.NewDB(pool, sqlitedialect.New())}
	for _, model := range []any{(*card)(nil), (*visit)(nil)} {
		if _, err := b.db.NewCreateTable().Model(model).IfNotExists().Exec(ctx); err != nil {
			return nil, err
		}
	}
	if _, err := b.db.NewCreateIndex().Model((*visit)(nil)).Index("visits_of_door").Column("door", "id").Exec(ctx); err != nil {
		return nil, err
	}
	var all []card
	for i := range 400 {
		all = append(all, card{Number: int64(7000 + i), Name: fmt.Sprint("Person ", i), Floor: i % 6})
	}
	_, err = b.db.NewInsert().Model(&all).Exec(ctx)
	return b, err
}

// hold is a card before a door.
func (b *building) hold(ctx context.Context, number int64, door int) (bool, error) {
	var c card
	err := b.db.NewSelect().Model(&c).Where("number = ?", number).Scan(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	v := visit{Card: number, Door: door, At: time.Now(), Opened: err == nil && door/100 <= c.Floor}
	_, err = b.db.NewInsert().Model(&v).Exec(ctx)
	return v.Opened, err
}

// last are those of a door.
func (b *building) last(ctx context.Context, door string) ([]visit, error) {
	out := []visit{}
	err := b.db.NewSelect().Model(&out).Where("door = ?", door).Order("id DESC").Limit(5).Scan(ctx)
	return out, err
}

func answer(w http.ResponseWriter, v any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func main() {
	dir, err := os.MkdirTemp("", "building")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	b, err := open(context.Background(), dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /visits", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Card int64 `json:"card"`
			Door int   `json:"door"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		opened, err := b.hold(r.Context(), in.Card, in.Door)
		answer(w, map[string]bool{"open": opened}, err)
	})
	mux.HandleFunc("GET /doors/{door}/visits", func(w http.ResponseWriter, r *http.Request) {
		out, err := b.last(r.Context(), r.PathValue("door"))
		answer(w, out, err)
	})
	service.Run(mux)
}
