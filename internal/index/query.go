package index

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Query says which rows are asked for; the zero value asks for all.
type Query struct {
	Path     string // of exactly this directory
	Service  string // of exactly this name
	Series   string
	Function string // that a name in its findings contains, in any case
	Limit    int    // of rows; 0: all
}

// Rows returns what matches, the newest first.
func (x *Index) Rows(ctx context.Context, q Query) ([]Row, error) {
	all, err := x.documents(ctx, "document", q)
	if err != nil {
		return nil, err
	}
	out := make([]Row, len(all))
	for i, document := range all {
		if err := json.Unmarshal(document, &out[i]); err != nil {
			return nil, fmt.Errorf("read the index of %s: %w", x.root, err)
		}
	}
	return out, nil
}

// List returns what matches as JSON, with one finding each, the newest first: thousands at once.
func (x *Index) List(ctx context.Context, q Query) ([]json.RawMessage, error) {
	return x.documents(ctx, "brief", q)
}

// Count is how many rows there are.
func (x *Index) Count(ctx context.Context) (n int, err error) {
	if err := x.database().QueryRowContext(ctx, "SELECT count(*) FROM rows").Scan(&n); err != nil {
		return 0, fmt.Errorf("read the index of %s: %w", x.root, err)
	}
	return n, nil
}

// Service is one that has runs.
type Service struct {
	Name string `json:"name"`
	Runs int    `json:"runs"`
}

// Services lists those that have runs, the one that ran last first.
func (x *Index) Services(ctx context.Context) ([]Service, error) {
	rows, err := x.database().QueryContext(ctx, "SELECT service, count(*) FROM rows WHERE kind = ? AND service <> '' GROUP BY service ORDER BY max(started) DESC", Run)
	if err != nil {
		return nil, fmt.Errorf("read the index of %s: %w", x.root, err)
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	out := []Service{}
	for rows.Next() {
		var s Service
		if err := rows.Scan(&s.Name, &s.Runs); err != nil {
			return nil, fmt.Errorf("read the index of %s: %w", x.root, err)
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// documents reads one column of what matches.
func (x *Index) documents(ctx context.Context, column string, q Query) ([]json.RawMessage, error) {
	var where []string
	var args []any
	add := func(condition string, arg any) { where, args = append(where, condition), append(args, arg) }
	if q.Path != "" {
		add("path = ?", q.Path)
	}
	if q.Service != "" {
		add("service = ?", q.Service)
	}
	if q.Series != "" {
		add("series = ?", q.Series)
	}
	if q.Function != "" {
		add(`path IN (SELECT path FROM functions WHERE name LIKE ? ESCAPE '\')`, "%"+literal(q.Function)+"%")
	}
	text := "SELECT " + column + " FROM rows"
	if len(where) > 0 {
		text += " WHERE " + strings.Join(where, " AND ")
	}
	text += " ORDER BY started DESC, path DESC"
	if q.Limit > 0 {
		text += fmt.Sprintf(" LIMIT %d", q.Limit)
	}
	rows, err := x.database().QueryContext(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("read the index of %s: %w", x.root, err)
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	out := []json.RawMessage{}
	for rows.Next() {
		var document []byte
		if err := rows.Scan(&document); err != nil {
			return nil, fmt.Errorf("read the index of %s: %w", x.root, err)
		}
		out = append(out, document)
	}
	return out, rows.Err()
}

// literal keeps the wildcards of LIKE from being any.
func literal(s string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(s)
}
