package index

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Query says which rows are asked for; the zero value asks for all.
type Query struct {
	Service  string // of exactly this name
	Series   string
	Function string // that a name in its findings contains, in any case
	Limit    int    // of rows; 0: all
}

// Rows returns what matches, the newest first.
func (x *Index) Rows(ctx context.Context, q Query) ([]Row, error) {
	var where []string
	var args []any
	add := func(condition string, arg any) { where, args = append(where, condition), append(args, arg) }
	if q.Service != "" {
		add("service = ?", q.Service)
	}
	if q.Series != "" {
		add("series = ?", q.Series)
	}
	if q.Function != "" {
		add(`path IN (SELECT path FROM functions WHERE name LIKE ? ESCAPE '\')`, "%"+literal(q.Function)+"%")
	}
	text := "SELECT document FROM rows"
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
	defer rows.Close()
	out := []Row{}
	for rows.Next() {
		var document []byte
		var r Row
		if err := rows.Scan(&document); err != nil {
			return nil, fmt.Errorf("read the index of %s: %w", x.root, err)
		}
		if err := json.Unmarshal(document, &r); err != nil {
			return nil, fmt.Errorf("read the index of %s: %w", x.root, err)
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// literal keeps the wildcards of LIKE from being any.
func literal(s string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(s)
}
