package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"image/color"

	_ "modernc.org/sqlite" // the driver "sqlite", without cgo
)

// pixel is one painted place of the canvas, in pixels from the upper left.
type pixel struct {
	X, Y  int
	Color color.RGBA // opaque
}

// store keeps the painted pixels in SQLite, one row each.
type store struct{ db *sql.DB }

// connections bounds the open connections to the database, and keeps as many
// idle: a new one opens the file and reads the schema again.
const connections = 64

// openStore opens or creates the database at a path. A write does not wait for the
// disk, so a crash of the machine can lose the last pixels.
func openStore(ctx context.Context, path string) (*store, error) {
	db, err := sql.Open("sqlite", "file:"+path+
		"?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=synchronous(normal)")
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	const schema = `CREATE TABLE IF NOT EXISTS pixels (
		x INTEGER NOT NULL, y INTEGER NOT NULL, color INTEGER NOT NULL,
		PRIMARY KEY (x, y)) WITHOUT ROWID`
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, errors.Join(fmt.Errorf("create the table of %s: %w", path, err), db.Close())
	}
	return &store{db}, nil
}

func (s *store) close() error { return s.db.Close() }

const upsert = `INSERT INTO pixels (x, y, color) VALUES (?, ?, ?)
	ON CONFLICT (x, y) DO UPDATE SET color = excluded.color`

// set paints pixels in one transaction.
func (s *store) set(ctx context.Context, pixels ...pixel) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("paint %d pixels: %w", len(pixels), err)
	}
	for _, p := range pixels {
		if _, err := tx.ExecContext(ctx, upsert, p.X, p.Y, packed(p.Color)); err != nil {
			return errors.Join(fmt.Errorf("paint (%d, %d): %w", p.X, p.Y, err), tx.Rollback())
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("paint %d pixels: commit: %w", len(pixels), err)
	}
	return nil
}

// each calls f with every painted pixel.
func (s *store) each(ctx context.Context, f func(pixel)) error {
	rows, err := s.db.QueryContext(ctx, `SELECT x, y, color FROM pixels`)
	if err != nil {
		return fmt.Errorf("read the pixels: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var p pixel
		var rgb uint32
		if err := rows.Scan(&p.X, &p.Y, &rgb); err != nil {
			return fmt.Errorf("read a pixel: %w", err)
		}
		p.Color = unpacked(rgb)
		f(p)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read the pixels: %w", err)
	}
	return nil
}

// packed is a colour as 0xRRGGBB.
func packed(c color.RGBA) uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }

func unpacked(rgb uint32) color.RGBA {
	return color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 0xff}
}
