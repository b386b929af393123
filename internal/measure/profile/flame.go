package profile

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/unpark-go/unpark"
)

const (
	// maxFlame bounds the nodes that a reader has to draw.
	maxFlame = 200_000
	// maxTree bounds the tree before it is cut down to maxFlame.
	maxTree = 1_000_000
	// foldedName is the child that holds what was cut off below a node.
	foldedName = "(small stacks)\x00"
	rootName   = "all\x00"
)

// Flame returns the call tree from the outermost frame, children largest first.
// Each node has the side that most of its value belongs to; stacks of the
// observer are kept and marked. Beyond 200 000 nodes the smallest are folded into
// one child of their caller named "(small stacks)", so that values still add up.
func (p *Profile) Flame(c *Catalogue) unpark.Flame {
	return p.flame(c, maxTree, maxFlame)
}

func (p *Profile) flame(c *Catalogue, treeLimit, limit int) unpark.Flame {
	t := newTree(treeLimit)
	names := t.frameNames(p)
	samples := p.Samples()
	order := make([]int, 0, len(samples))
	for i, s := range samples {
		if s.Value > 0 {
			order = append(order, i)
		}
	}
	// The largest come first, so that a full tree has what matters.
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(samples[j].Value, samples[i].Value) })
	var path []int
	for _, i := range order {
		path = path[:0]
		for _, f := range p.stack(i) {
			path = append(path, names[f])
		}
		t.add(path, samples[i].Value, c.Label(p.kind, samples[i].Stack).Side)
	}
	t.cut(limit)
	f := unpark.Flame{Kind: p.kind, Unit: p.kind.Unit(), Names: t.names}
	t.columns(&f)
	f.Total = f.Value[0]
	return f
}

// tree is the call tree while it is built. Node 0 is the root.
type tree struct {
	limit  int
	names  []string
	folded int // number of foldedName, −1 before it is needed
	nodes  []node
	child  map[uint64]int // by edge
}

// edge is the key of a node's child; a map of 64-bit keys is the fast kind.
func edge(parent, name int) uint64 { return uint64(parent)<<32 | uint64(name) }

type node struct {
	name, parent int
	value, self  float64
	sides        [4]float64
	children     []int
}

// sideOrder gives the place of a side in node.sides and its letter in a flame.
const sideLetters = "qbro"

func sideIndex(s unpark.Side) int {
	switch s {
	case unpark.Background:
		return 1
	case unpark.RuntimeSide:
		return 2
	case unpark.ObserverSide:
		return 3
	default:
		return 0
	}
}

func newTree(limit int) *tree {
	return &tree{limit: limit, names: []string{rootName}, folded: -1, nodes: []node{{parent: -1}}, child: map[uint64]int{}}
}

// frameNames returns the name number of each of the profile's frames. Frames that
// differ in having been inlined only are one.
func (t *tree) frameNames(p *Profile) []int {
	known := make(map[unpark.Site]int, len(p.frames))
	out := make([]int, len(p.frames))
	for i, h := range p.frames {
		s := h.Value().site
		n, ok := known[s]
		if !ok {
			n = len(t.names)
			known[s] = n
			text := s.Function + "\x00"
			if s.File != "" {
				text += s.File + ":" + strconv.Itoa(s.Line)
			}
			t.names = append(t.names, text)
		}
		out[i] = n
	}
	return out
}

// add adds a stack of names, leaf first.
func (t *tree) add(path []int, value float64, side unpark.Side) {
	at, k := 0, sideIndex(side)
	t.count(0, value, k)
	for i := len(path) - 1; i >= 0; i-- {
		next, ok := t.child[edge(at, path[i])]
		full := !ok && len(t.nodes) >= t.limit
		switch {
		case full:
			next = t.enter(at, t.fold())
		case !ok:
			next = t.enter(at, path[i])
		}
		at = next
		t.count(at, value, k)
		if full {
			break
		}
	}
	t.nodes[at].self += value
}

func (t *tree) count(at int, v float64, side int) {
	t.nodes[at].value += v
	t.nodes[at].sides[side] += v
}

func (t *tree) fold() int {
	if t.folded < 0 {
		t.folded = len(t.names)
		t.names = append(t.names, foldedName)
	}
	return t.folded
}

// enter returns the child of a node with this name, adding it if need be.
func (t *tree) enter(parent, name int) int {
	if n, ok := t.child[edge(parent, name)]; ok {
		return n
	}
	n := len(t.nodes)
	t.nodes = append(t.nodes, node{name: name, parent: parent})
	t.child[edge(parent, name)] = n
	t.nodes[parent].children = append(t.nodes[parent].children, n)
	return n
}

// cut leaves at most limit nodes: the largest half of them, and below each of
// these one node for what was cut. A child is never larger than its parent, so a
// threshold on the value leaves a tree.
func (t *tree) cut(limit int) {
	if len(t.nodes) <= limit {
		return
	}
	values := make([]float64, len(t.nodes))
	for i, n := range t.nodes {
		values[i] = n.value
	}
	slices.Sort(values)
	threshold := values[len(values)-max(limit/2, 1)]
	fold := t.fold()
	for i := 0; i < len(t.nodes); i++ {
		if i > 0 && (t.nodes[i].name == fold || t.nodes[i].value <= threshold) {
			continue
		}
		t.foldChildren(i, threshold, fold)
	}
}

func (t *tree) foldChildren(at int, threshold float64, fold int) {
	var kept []int
	rest := node{name: fold, parent: at}
	for _, c := range t.nodes[at].children {
		n := t.nodes[c]
		if n.value > threshold && n.name != fold {
			kept = append(kept, c)
			continue
		}
		rest.value += n.value
		for k, v := range n.sides {
			rest.sides[k] += v
		}
	}
	if rest.value > 0 {
		rest.self = rest.value
		kept = append(kept, len(t.nodes))
		t.nodes = append(t.nodes, rest)
	}
	t.nodes[at].children = kept
}

// columns writes the tree in preorder. It keeps its own stack: a deep recursion
// in the target must not become one here.
func (t *tree) columns(f *unpark.Flame) {
	type item struct{ node, depth int }
	todo := []item{{0, 0}}
	for len(todo) > 0 {
		it := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := t.nodes[it.node]
		f.Name = append(f.Name, n.name)
		f.Depth = append(f.Depth, it.depth)
		f.Value = append(f.Value, n.value)
		f.Self = append(f.Self, n.self)
		f.Side = append(f.Side, sideLetters[largest(n.sides[:])])
		slices.SortStableFunc(n.children, func(a, b int) int { return cmp.Compare(t.nodes[b].value, t.nodes[a].value) })
		for i := len(n.children) - 1; i >= 0; i-- {
			todo = append(todo, item{n.children[i], it.depth + 1})
		}
	}
}

func largest(v []float64) int {
	best, at := math.Inf(-1), 0
	for i, x := range v {
		if x > best {
			best, at = x, i
		}
	}
	return at
}
