package report

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

const (
	// tailRows bounds the places named, and tailLines what the section takes
	// before it says no more of holders.
	tailRows  = 6
	tailLines = 7
)

// tail says why the slowest requests took longer than those in the middle.
func (p *page) tail(r unpark.Run) {
	t := tracingOf(r)
	if t == nil {
		return
	}
	p.blank()
	if !hasCohorts(*t) {
		why, cure := noCohorts(*t)
		p.flow(line{say(heading, "SLOWEST"), say(normal, "  ")}, say(normal, why+" "), say(quiet, cure))
		p.tailNotes(*t)
		return
	}
	var spans []span
	for i, part := range tailParts(*t) {
		tone := normal
		if i > 0 {
			tone = quiet
			spans = append(spans, say(quiet, " · "))
		}
		spans = append(spans, say(tone, part))
	}
	p.flow(line{say(heading, strings.ToUpper(slowest(*t))), say(normal, "  ")}, spans...)
	p.excess(*t)
	p.tailNotes(*t)
}

func (p *page) tailNotes(t unpark.Tracing) {
	for _, n := range tailNotes(t) {
		p.flow(line{say(caution, "  ! ")}, say(normal, n))
	}
}

// excess prints a line for each place, and below the first ones who held it up.
func (p *page) excess(t unpark.Tracing) {
	rows := excessRows(t)
	if len(rows) == 0 {
		p.flow(line{say(quiet, "  ")}, say(quiet, nothingTold))
		return
	}
	left := rows[min(len(rows), tailRows):]
	rows = rows[:len(rows)-len(left)]
	cells := excessCells(rows)
	start := len(p.lines)
	for i, e := range rows {
		first := line{say(strong, "  "+cells[i][0]), say(quiet, " "+cells[i][1]), say(normal, "  "+cells[i][2]+"  ")}
		indent := first.width()
		first = append(first, say(normal, cells[i][3]+"  "))
		where := say(quiet, stateWords(e.Class))
		if !e.Site.IsZero() {
			where = say(place, siteText(e.Site, columns-first.width()))
		}
		p.add(append(first, where)...)
		if len(p.lines)-start <= tailLines {
			p.holder(t, e, indent, start)
		}
	}
	if len(left) > 0 {
		p.add(say(quiet, "  and "+units.Count(int64(len(left)))+" smaller"))
	}
}

// excessCells returns what a row has more of, the interval of that, its share and
// its class, each padded to the width of its column.
func excessCells(rows []unpark.Excess) [][]string {
	out := make([][]string, len(rows))
	for i, e := range rows {
		value, between := apart(units.Quantity(surplus(e)))
		out[i] = []string{"+" + value, between, units.Number(e.Share, "ratio"), className(e.Class)}
	}
	return aligned(out, 0, 2)
}

// holder says who kept requests waiting at a place, what they did meanwhile, and
// who kept those waiting.
func (p *page) holder(t unpark.Tracing, e unpark.Excess, indent, start int) {
	all := holders(t, e.Class, e.Site)
	if len(all) == 0 {
		return
	}
	first := all[0]
	part := ""
	// Said when there are others that matter.
	const nearly = 0.9
	var sum float64
	for _, h := range all {
		sum += h.Tail
	}
	if first.Tail < nearly*sum {
		part = units.Percent(first.Tail/sum) + " of it "
	}
	p.by(first, part, indent)
	if len(p.lines)-start > tailLines {
		return
	}
	for _, h := range heldMost(first.Held, 2) {
		if next := behind(t, h); next != nil {
			p.by(*next, "", indent+2)
			return
		}
	}
}

// by prints one holder and what it did.
func (p *page) by(e unpark.Edge, part string, indent int) {
	const name = 44
	spans := []span{say(quiet, part+heldBy(e.Class)+" "), say(place, siteText(e.Holder, name))}
	for i, h := range heldMost(e.Held, 2) {
		lead := ", which spent "
		if i > 0 {
			lead = " and "
		}
		spans = append(spans, say(quiet, lead), whole(normal, units.Percent(h.Share)), say(normal, " "+heldText(h, name)))
	}
	p.flow(line{say(quiet, strings.Repeat(" ", indent)+"← ")}, spans...)
}
