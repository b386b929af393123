// A gate before a database: each statement that a tool sends is parsed, its tables are held against what the
// tool may touch, and it is answered with a fingerprint, by which statements are counted.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver"

	"wild/service"
)

// tables collects the tables that a statement touches.
type tables struct{ names []string }

func (t *tables) Enter(n ast.Node) (ast.Node, bool) {
	if name, ok := n.(*ast.TableName); ok && !slices.Contains(t.names, name.Name.L) {
		t.names = append(t.names, name.Name.L)
	}
	return n, false
}

func (t *tables) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// gate lets statements pass.
type gate struct {
	may     map[string][]string // tables, by tool
	parsers sync.Pool
	mu      sync.Mutex
	seen    map[string]int
}

func newGate() *gate {
	return &gate{
		may: map[string][]string{
			"report": {"orders", "order_line", "customer", "country"},
			"stock":  {"article", "shelf", "movement"},
		},
		parsers: sync.Pool{New: func() any { return parser.New() }},
		seen:    map[string]int{},
	}
}

func (g *gate) parse(text string) (ast.StmtNode, error) {
	if service.After() {
		p := g.parsers.Get().(*parser.Parser)
		defer g.parsers.Put(p)
		return p.ParseOneStmt(text, "", "")
	}
	return parser.New().ParseOneStmt(text, "", "")
}

// verdict is the answer to a statement.
type verdict struct {
	Kind   string   `json:"kind"`
	Tables []string `json:"tables"`
	Digest string   `json:"digest"`
	Times  int      `json:"times"`
}

var errRefused = errors.New("refused")

func (g *gate) check(tool, text string) (*verdict, error) {
	stmt, err := g.parse(text)
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	v := &verdict{Kind: strings.TrimPrefix(fmt.Sprintf("%T", stmt), "*ast.")}
	switch stmt.(type) {
	case *ast.SelectStmt, *ast.InsertStmt, *ast.UpdateStmt:
	default:
		return nil, fmt.Errorf("%s: %w", v.Kind, errRefused)
	}
	var t tables
	stmt.Accept(&t)
	for _, name := range t.names {
		if !slices.Contains(g.may[tool], name) {
			return nil, fmt.Errorf("table %s: %w", name, errRefused)
		}
	}
	v.Tables = t.names
	_, digest := parser.NormalizeDigest(text)
	v.Digest = digest.String()[:16]
	g.mu.Lock()
	g.seen[v.Digest]++
	v.Times = g.seen[v.Digest]
	g.mu.Unlock()
	return v, nil
}

func main() {
	g := newGate()
	http.HandleFunc("POST /check", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		v, err := g.check(r.URL.Query().Get("tool"), string(text))
		switch {
		case errors.Is(err, errRefused):
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(v)
	})
	service.Run(http.DefaultServeMux)
}
