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
func (p runText) tail() {
	if t := tracingOf(p.run); t != nil {
		p.blank()
		p := tailText{p.page, *t, 0}
		p.lead()
		p.notes()
	}
}

// tailText prints what traces say of the slowest requests.
type tailText struct {
	*page
	unpark.Tracing
	start int // line of the page at which the places begin
}

// lead says what was compared, then lists the places.
func (p *tailText) lead() {
	if !hasCohorts(p.Tracing) {
		why, cure := noCohorts(p.Tracing)
		p.flow(line{say(heading, "SLOWEST"), say(normal, "  ")}, say(normal, why+" "), say(quiet, cure))
		return
	}
	var spans []span
	for i, part := range tailParts(p.Tracing) {
		tone := normal
		if i > 0 {
			tone = quiet
			spans = append(spans, say(quiet, " · "))
		}
		spans = append(spans, say(tone, part))
	}
	p.flow(line{say(heading, strings.ToUpper(slowest(p.Tracing))), say(normal, "  ")}, spans...)
	p.excess()
}

func (p *tailText) notes() {
	for _, n := range tailNotes(p.Tracing) {
		p.flow(line{say(caution, "  ! ")}, say(normal, n))
	}
}

// excess prints a line for each place, and below the first ones what held it up.
func (p *tailText) excess() {
	rows := excessRows(p.Tracing)
	if len(rows) == 0 {
		p.flow(line{say(quiet, "  ")}, say(quiet, noExcess))
		return
	}
	left := rows[min(len(rows), tailRows):]
	rows = rows[:len(rows)-len(left)]
	cells := excessCells(rows)
	p.start = len(p.lines)
	for i, e := range rows {
		first := line{say(strong, "  "+cells[i][0]), say(quiet, " "+cells[i][1]), say(normal, "  "+cells[i][2]+"  ")}
		indent := first.width()
		first = append(first, say(normal, cells[i][3]+"  "))
		where := say(quiet, stateWords(e.Class))
		if !e.Site.IsZero() {
			where = say(place, siteText(e.Site, columns-first.width()))
		}
		p.add(append(first, where)...)
		if p.room() {
			p.holder(e, indent)
		}
	}
	if len(left) > 0 {
		p.add(say(quiet, "  and "+units.Count(int64(len(left)))+" smaller"))
	}
}

// room reports whether more can be said of holders.
func (p *tailText) room() bool { return len(p.lines)-p.start <= tailLines }

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

// holder says what kept requests waiting at a place, what it did meanwhile, and what
// kept it waiting.
func (p *tailText) holder(e unpark.Excess, indent int) {
	all := holders(p.Tracing, e.Class, e.Site)
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
	if !p.room() {
		return
	}
	for _, h := range heldMost(first.Held, 2) {
		if next := behind(p.Tracing, h); next != nil {
			p.by(*next, "", indent+2)
			return
		}
	}
}

// by prints one holder and what it did.
func (p *tailText) by(e unpark.Edge, part string, indent int) {
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
