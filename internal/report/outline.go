package report

import (
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
// a node is in the node's own value. The page draws it while the graph itself is still being unpacked.
type outline struct {
	Kind  unpark.Kind `json:"kind"`
	Unit  string      `json:"unit"`
	Names []string    `json:"names"`
	Nodes int         `json:"nodes"`
	Name  []int       `json:"name"`
	Depth []int       `json:"depth"`
	Self  []float32   `json:"self"`
	Side  []int       `json:"side"`
}

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
	out := &outline{Kind: c.Kind, Unit: c.Unit, Names: []string{}}
	names := map[int]int{}
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
		id, ok := names[c.name[i]]
		if !ok {
			id = len(out.Names)
			names[c.name[i]] = id
			out.Names = append(out.Names, c.Names[c.name[i]])
		}
		path = append(path, len(out.Name))
		out.Name, out.Depth, out.Self = append(out.Name, id), append(out.Depth, d), append(out.Self, float32(own))
		out.Side = append(out.Side, max(0, strings.IndexByte(sideLetters, c.side[i])))
	}
	if out.Nodes = len(out.Name); value[0] <= 0 {
		return nil
	}
	return out
}
