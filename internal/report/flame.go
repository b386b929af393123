package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// graph is a flame graph as the page embeds it. Data is base64 of gzip of a
// [columnar], so that 180 000 nodes take some hundred kilobytes and only the
// graph that is looked at is unpacked.
type graph struct {
	Kind  unpark.Kind
	Title string
	Data  string
}

// columnar is a flame graph as columns in preorder, each name once. Values are
// left out: a node's value is what is below it, which lets the page hide sides
// without a second set of columns.
type columnar struct {
	Kind   unpark.Kind `json:"kind"`
	Unit   string      `json:"unit"`
	Names  []string    `json:"names"`  // function
	Places []string    `json:"places"` // "file:line" beside Names, or ""
	Name   []int       `json:"name"`   // index into Names
	Depth  []int       `json:"depth"`
	Self   []sixDigits `json:"self"` // in Unit
	Side   string      `json:"side"` // one of q, b, r, o for each node

	// Before is Self in the arm before, in a differential graph.
	Before []sixDigits `json:"before,omitempty"`
}

// sixDigits is a number that is written with six significant digits.
type sixDigits float64

func (v sixDigits) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(v), 'g', 6, 64), nil
}

// graphs packs the flame graphs of a run, in the order of the kinds. Graphs
// without a sample are left out.
func graphs(all []unpark.Flame) ([]graph, error) {
	var out []graph
	for _, kind := range unpark.Kinds() {
		for _, f := range all {
			if f.Kind != kind || len(f.Name) == 0 || !(f.Value[0] > 0) && !(len(f.Before) > 0 && f.Before[0] > 0) {
				continue
			}
			c, err := toColumns(f)
			if err != nil {
				return nil, fmt.Errorf("report: flame graph of %s: %w", f.Kind, err)
			}
			data, err := pack(c)
			if err != nil {
				return nil, fmt.Errorf("report: flame graph of %s: %w", f.Kind, err)
			}
			out = append(out, graph{Kind: kind, Title: graphTitle(kind), Data: data})
		}
	}
	return out, nil
}

// graphTitle says what the width of a graph's nodes means.
func graphTitle(k unpark.Kind) string {
	switch k {
	case unpark.KindCPU:
		return "CPU time"
	case unpark.KindBlock:
		return "Waiting, by waiter"
	case unpark.KindMutex:
		return "Waiting, by holder of the lock"
	case unpark.KindAllocs:
		return "Bytes allocated"
	case unpark.KindHeap:
		return "Bytes in use"
	case unpark.KindGoroutine:
		return "Goroutines"
	default:
		return string(k)
	}
}

// toColumns checks a flame graph and turns it into the columns of the page.
func toColumns(f unpark.Flame) (columnar, error) {
	n := len(f.Name)
	if len(f.Depth) != n || len(f.Value) != n || len(f.Side) != n || (len(f.Before) != n && f.Before != nil) {
		return columnar{}, fmt.Errorf("columns of %d, %d, %d, %d and %d nodes", n, len(f.Depth), len(f.Value), len(f.Side), len(f.Before))
	}
	for i, d := range f.Depth {
		if d < 0 || (i == 0 && d > 0) || (i > 0 && (d == 0 || d > f.Depth[i-1]+1)) {
			return columnar{}, fmt.Errorf("node %d at depth %d is not in preorder below one root", i, d)
		}
		if name := f.Name[i]; name < 0 || name >= len(f.Names) {
			return columnar{}, fmt.Errorf("node %d has name %d of %d", i, name, len(f.Names))
		}
	}
	c := columnar{
		Kind: f.Kind, Unit: f.Unit, Name: f.Name, Depth: f.Depth, Self: selfOf(f.Depth, f.Value), Side: string(f.Side),
	}
	if f.Before != nil {
		c.Before = selfOf(f.Depth, f.Before)
	}
	for _, text := range f.Names {
		function, at, _ := strings.Cut(text, "\x00")
		c.Names, c.Places = append(c.Names, escape.Line(function)), append(c.Places, escape.Line(at))
	}
	return c, nil
}

// selfOf returns what each node in preorder has beyond its children.
func selfOf(depth []int, value []float64) []sixDigits {
	self := make([]sixDigits, len(value))
	var path []int // the node's ancestors and itself, by depth
	for i, d := range depth {
		path = append(path[:d], i)
		self[i] += sixDigits(value[i])
		if d > 0 {
			self[path[d-1]] -= sixDigits(value[i])
		}
	}
	for i, v := range self {
		// What is left of a difference of sums is noise below 1e-9 of the value.
		if float64(v) < 1e-9*value[i] {
			self[i] = 0
		}
	}
	return self
}

func pack(v any) (string, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := json.NewEncoder(z).Encode(v); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
