package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
)

// Sizes of the picture, in pixels at its own scale. A column of the typefaces
// in report.css is at most nameColumn and rowColumn wide.
const (
	graphWidth = 1072.0
	columnGap  = 134.0
	boxLeast   = 226.0
	boxMost    = 400.0
	boxInset   = 12.0
	headHeight = 50.0 // name and place
	barHeight  = 6.0
	rowHeight  = 19.0
	portHeight = 46.0 // room for a line and its two labels
	boxApart   = 22.0
	nameColumn = 7.45 // 12 px, monospaced
	rowColumn  = 6.85 // 11 px, monospaced
	lineLeast  = 1.5
	lineMost   = 12.0
)

// graphView is the picture; coordinates are in its own pixels.
type graphView struct {
	Width, Height float64
	Wide          bool // more than the page's own width
	Boxes         []boxView
	Lines         []lineView
}

// box is a node with its place in the picture.
type box struct {
	*waitNode
	x, y, w, h float64
	ports      map[*waitLink]float64 // y of a link's start
	in         []*waitLink
}

// layout places the boxes and draws the lines.
func (g *waitGraph) layout(t unpark.Tracing) graphView {
	n := float64(g.used())
	if n < 2 {
		return graphView{}
	}
	w := min(max((graphWidth-(n-1)*columnGap)/n, boxLeast), boxMost)
	gap := max((graphWidth-n*w)/(n-1), columnGap)
	v := graphView{Width: round1(n*w + (n-1)*gap)}
	v.Wide = v.Width > graphWidth
	boxes := map[*waitNode]*box{}
	var columns [graphColumns][]*box
	for c := range g.used() {
		var column []*box
		for _, node := range g.columns[c] {
			b := &box{waitNode: node, x: float64(c) * (w + gap), w: w, ports: map[*waitLink]float64{}}
			b.h = b.height()
			boxes[node] = b
			column = append(column, b)
		}
		for _, l := range g.links {
			if l.to.column == c {
				boxes[l.to].in = append(boxes[l.to].in, l)
			}
		}
		v.Height = max(v.Height, stack(column, sources(column, boxes)))
		columns[c] = column
	}
	v.Height = max(v.Height, stack(columns[0], targets(columns[0], boxes)))
	for _, l := range g.links {
		v.Lines = append(v.Lines, g.line(l, boxes, t))
	}
	for c := range g.used() {
		for _, node := range g.columns[c] {
			v.Boxes = append(v.Boxes, boxes[node].view())
		}
	}
	v.Height = round1(v.Height + 2)
	return v
}

// stack puts the boxes of a column below each other, each as near as can be to
// where it is wanted, and returns where the last one ends.
func stack(column []*box, want map[*box]float64) float64 {
	slices.SortStableFunc(column, func(a, b *box) int { return cmp.Compare(want[a], want[b]) })
	end := 1.0
	for _, b := range column {
		b.y = max(end, want[b])
		b.place()
		end = b.y + b.h + boxApart
	}
	return end - boxApart
}

// sources says where boxes are wanted: at the middle of where their lines begin.
func sources(column []*box, all map[*waitNode]*box) map[*box]float64 {
	want := map[*box]float64{}
	for _, b := range column {
		var sum, weight float64
		for _, l := range b.in {
			sum, weight = sum+all[l.from].ports[l]*l.amount, weight+l.amount
		}
		if weight > 0 {
			want[b] = sum/weight - headHeight/2
		}
	}
	return want
}

// targets says the same of the first column, by where their lines end.
func targets(column []*box, all map[*waitNode]*box) map[*box]float64 {
	want := map[*box]float64{}
	for _, b := range column {
		var sum, weight float64
		for _, l := range b.out {
			sum, weight = sum+all[l.to].entry(l, all)*l.amount, weight+l.amount
		}
		if weight > 0 {
			want[b] = sum/weight - b.h/2
		}
	}
	return want
}

func (b *box) height() float64 {
	h := headHeight
	if b.column > 0 {
		if len(b.held) > 0 {
			h += barHeight + 8
		}
		for _, p := range b.shown() {
			h += partHeight(p)
		}
		h += 6
	}
	return max(h, float64(len(b.out))*portHeight+8)
}

// partHeight leaves room for the lines that leave a row.
func partHeight(p *heldPart) float64 {
	switch len(p.out) {
	case 0:
		return rowHeight
	case 1:
		return 2 * rowHeight
	}
	return float64(len(p.out)) * portHeight
}

// place sets where lines leave the box.
func (b *box) place() {
	top := b.y + (b.h-float64(len(b.out))*portHeight)/2
	for i, l := range b.out {
		b.ports[l] = top + (float64(i)+0.5)*portHeight
	}
	y := b.rowsTop()
	for _, p := range b.shown() {
		h := partHeight(p)
		top := y + (h-float64(len(p.out))*portHeight)/2
		for i, l := range p.out {
			b.ports[l] = top + (float64(i)+0.5)*portHeight
		}
		y += h
	}
}

func (b *box) rowsTop() float64 { return b.y + headHeight + barHeight + 8 }

// line draws one wait.
func (g *waitGraph) line(l *waitLink, boxes map[*waitNode]*box, t unpark.Tracing) lineView {
	var most float64
	for _, other := range g.links {
		most = max(most, other.amount)
	}
	from, to := boxes[l.from], boxes[l.to]
	w := max(l.amount/most*lineMost, lineLeast)
	x1, y1 := from.x+from.w, from.ports[l]
	x2, y2 := to.x, to.entry(l, boxes)
	head := max(w, 5)
	bend := (x2 - x1) * 0.55
	above, below, full := linkText(l, t)
	return lineView{
		Path:  fmt.Sprintf("M%.1f,%.1fC%.1f,%.1f %.1f,%.1f %.1f,%.1f", x1, y1, x1+bend, y1, x2-bend, y2, x2-head, y2),
		Head:  fmt.Sprintf("M%.1f,%.1fL%.1f,%.1fL%.1f,%.1fZ", x2-head-1, y2-head, x2, y2, x2-head-1, y2+head),
		Width: round1(w), Class: classStyle(l.edge.Class), Chained: l.chained,
		TextX: round1(x1 + 8), AboveY: round1(y1 - w/2 - 4), BelowY: round1(y1 + w/2 + 13), Above: above, Below: below, Full: full,
	}
}

// entry is where a line ends: the lines that end at a box are spread over its
// head in the order in which they come.
func (b *box) entry(l *waitLink, boxes map[*waitNode]*box) float64 {
	in := slices.Clone(b.in)
	slices.SortStableFunc(in, func(a, b *waitLink) int { return cmp.Compare(boxes[a.from].ports[a], boxes[b.from].ports[b]) })
	step := min(lineMost+2, (b.h-2*lineMost)/float64(len(in)))
	top := b.y + max(headHeight/2-step*float64(len(in)-1)/2, lineMost)
	return top + step*float64(slices.Index(in, l))
}

func round1(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return math.Round(min(max(v, -1e6), 1e6)*10) / 10
}
