package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// columnar is a flame graph as the page reads it: one line of JSON, and behind it the columns as binary numbers, little-endian, of all
// nodes in preorder: self (float32), before (float32, where there is one), and whole numbers of as many bytes as the largest takes: name,
// depth, side (its place in [sideLetters]). A browser parses the numbers of 183,000 nodes in some 60 ms, and reads columns in none. Values
// are left out: a node's value is what is below it, which lets the page hide sides without a second set of columns.
type columnar struct {
	Kind    unpark.Kind    `json:"kind"`
	Unit    string         `json:"unit"`
	Names   []string       `json:"names"`  // function
	Places  []string       `json:"places"` // "file:line" beside Names, or ""
	Nodes   int            `json:"nodes"`
	Deepest int            `json:"deepest"` // the largest depth, which the page would have to walk the nodes for
	Both    bool           `json:"both"`    // there is a column of the arm before, in a differential graph
	Order   []string       `json:"order"`   // of the columns of whole numbers: the widest first, so that each begins where its numbers may
	Width   map[string]int `json:"width"`   // bytes of a number, 1, 2 or 4

	name, depth  []int
	self, before []float64 // in Unit
	side         []byte
}

// sideLetters gives each side its number.
const sideLetters = "qbro"

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
		Kind: f.Kind, Unit: f.Unit, Nodes: n, Both: f.Before != nil, name: f.Name, depth: f.Depth, self: selfOf(f.Depth, f.Value), side: f.Side,
	}
	if c.Both {
		c.before = selfOf(f.Depth, f.Before)
	}
	for _, text := range f.Names {
		function, at, _ := strings.Cut(text, "\x00")
		c.Names, c.Places = append(c.Names, escape.Line(function)), append(c.Places, escape.Line(at))
	}
	return c, nil
}

// selfOf returns what each node in preorder has beyond its children.
func selfOf(depth []int, value []float64) []float64 {
	self := make([]float64, len(value))
	var path []int // the node's ancestors and itself, by depth
	for i, d := range depth {
		path = append(path[:d], i)
		self[i] += value[i]
		if d > 0 {
			self[path[d-1]] -= value[i]
		}
	}
	for i, v := range self {
		// What is left of a difference of sums is noise below 1e-9 of the value.
		if v < 1e-9*value[i] {
			self[i] = 0
		}
	}
	return self
}

// wholes are the columns of whole numbers.
func (c columnar) wholes() map[string][]int {
	side := make([]int, len(c.side))
	for i, letter := range c.side {
		side[i] = max(0, strings.IndexByte(sideLetters, letter)) // one that is not known is the first
	}
	return map[string][]int{"name": c.name, "depth": c.depth, "side": side}
}

// pack writes the columns as base64 of gzip.
func (c columnar) pack() (string, error) {
	all := c.wholes()
	c.Width, c.Order = map[string]int{}, []string{"name", "depth", "side"}
	for name, column := range all {
		switch most := slices.Max(column); {
		case most < 1<<8:
			c.Width[name] = 1
		case most < 1<<16:
			c.Width[name] = 2
		default:
			c.Width[name] = 4
		}
	}
	slices.SortStableFunc(c.Order, func(a, b string) int { return c.Width[b] - c.Width[a] })
	c.Deepest = slices.Max(c.depth)
	head, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	for (len(head)+1)%4 != 0 { // columns begin where numbers may
		head = append(head, ' ')
	}
	raw := append(head, '\n')
	for _, column := range [][]float64{c.self, c.before} {
		for _, v := range column {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(min(max(v, 0), math.MaxFloat32))))
		}
	}
	var number [8]byte
	for _, name := range c.Order {
		for _, v := range all[name] {
			binary.LittleEndian.PutUint64(number[:], uint64(v)) //nolint:gosec // none is below 0: toColumns
			raw = append(raw, number[:c.Width[name]]...)
		}
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err = z.Write(raw)
	if err := errors.Join(err, z.Close()); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
