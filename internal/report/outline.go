package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

const (
	// outlined is from how many nodes on a graph has an outline: below, all of it is unpacked and drawn as fast.
	// Unit: nodes. Source: 20,000 nodes unpack in some 20 ms. Test: TestOutline.
	outlined = 20_000
	// outlineWidth is the width of the screen for which the outline has every node of a pixel.
	// Unit: pixels. Source: convention, a page is 1120 wide. Test: TestOutline.
	outlineWidth = 2000
)

// outline is the part of a graph that is wide enough to be seen, with the sides hidden that the page hides at first. What is left out below
// a node is in the node's own value. The page draws it, and says of the graph what it says of it whole, before the graph itself is unpacked.
type outline struct {
	Kind   unpark.Kind    `json:"kind"`
	Unit   string         `json:"unit"`
	Names  []string       `json:"names"`
	Places map[int]string `json:"places"` // of those of Names that the page lists
	Nodes  int            `json:"nodes"`
	Name   []int          `json:"name"`
	Depth  []int          `json:"depth"`
	Self   []float32      `json:"self"`
	Side   []int          `json:"side"`
	Told   told           `json:"told"`

	names map[int]int // the number of a name here, by its number in the graph
}

// told is what the page says of a graph at first. Its sums are those of the numbers that the page will unpack.
type told struct {
	Nodes    int          `json:"nodes"`
	Hidden   string       `json:"hidden"`   // sides
	Total    float64      `json:"total"`    // without these
	Raw      float64      `json:"raw"`      // with them
	Heaviest [][2]float64 `json:"heaviest"` // number of a name in the outline, and what it holds itself; the largest first
}

// heaviestListed is how many functions the page lists below a graph (explorer.js, heaviest).
const heaviestListed = 8

// hiddenAtFirst are the sides that the page does not show until it is asked to (explorer.js, hiddenSides).
func hiddenAtFirst(k unpark.Kind) string {
	switch k {
	case unpark.KindBlock, unpark.KindMutex, unpark.KindGoroutine:
		return "bo"
	}
	return "o"
}

// outline is nil for a graph that needs none.
func (c columnar) outline() *outline {
	if c.Nodes < outlined || c.Both {
		return nil
	}
	hidden := hiddenAtFirst(c.Kind)
	value, below := make([]float64, c.Nodes), make([]float64, slices.Max(c.depth)+2)
	for i := c.Nodes - 1; i >= 0; i-- {
		d := c.depth[i]
		value[i], below[d+1] = below[d+1], 0
		if strings.IndexByte(hidden, c.side[i]) < 0 {
			value[i] += c.self[i]
		}
		below[d] += value[i]
	}
	if value[0] <= 0 {
		return nil
	}
	out := &outline{Kind: c.Kind, Unit: c.Unit, Places: map[int]string{}, names: map[int]int{}}
	var path []int // the kept nodes above, by depth
	for i, v := range value {
		d := c.depth[i]
		path = path[:min(len(path), d)]
		own := 0.0
		if strings.IndexByte(hidden, c.side[i]) < 0 {
			own = c.self[i]
		}
		if v < value[0]/outlineWidth || len(path) < d {
			if n := len(path); n > 0 {
				out.Self[path[n-1]] += float32(own)
			}
			continue
		}
		path = append(path, len(out.Name))
		out.Name, out.Depth, out.Self = append(out.Name, out.named(c, c.name[i])), append(out.Depth, d), append(out.Self, float32(own))
		out.Side = append(out.Side, max(0, strings.IndexByte(sideLetters, c.side[i])))
	}
	out.Nodes = len(out.Name)
	out.Told = told{Nodes: c.Nodes, Hidden: hidden}
	out.sum(c)
	return out
}

// named returns the number that a name of the graph has in the outline.
func (o *outline) named(c columnar, name int) int {
	id, ok := o.names[name]
	if !ok {
		id = len(o.Names)
		o.names[name] = id
		o.Names = append(o.Names, c.Names[name])
	}
	return id
}

// sum adds up the graph.
func (o *outline) sum(c columnar) {
	own, order := make([]float64, len(c.Names)), make([]int, len(c.Names))
	for i, v := range c.self {
		v = float64(float32(v))
		o.Told.Raw += v
		if strings.IndexByte(o.Told.Hidden, c.side[i]) < 0 {
			o.Told.Total += v
			own[c.name[i]] += v
		}
	}
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(own[b], own[a]) })
	for _, name := range order[:min(len(order), heaviestListed)] {
		if own[name] > 0 {
			id := o.named(c, name)
			o.Places[id] = c.Places[name]
			o.Told.Heaviest = append(o.Told.Heaviest, [2]float64{float64(id), own[name]})
		}
	}
}
