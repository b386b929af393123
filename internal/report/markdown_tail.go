package report

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// mdTail writes why the slowest requests took longer, one row a place.
func mdTail(b *strings.Builder, r unpark.Run) {
	t := tracingOf(r)
	if t == nil {
		return
	}
	if !hasCohorts(*t) {
		why, cure := noCohorts(*t)
		fmt.Fprintf(b, "**Slowest requests:** %s %s\n\n", escape.Markdown(why), escape.Markdown(cure))
		mdTailNotes(b, *t)
		return
	}
	fmt.Fprintf(b, "**%s:** %s\n\n", escape.Markdown(title(slowest(*t))), escape.Markdown(strings.Join(tailParts(*t), " · ")))
	rows := excessRows(*t)
	if len(rows) == 0 {
		b.WriteString(escape.Markdown(noExcess) + "\n\n")
	} else {
		b.WriteString("| more | share | class | where | held by |\n|--:|--:|---|---|---|\n")
	}
	for _, e := range rows[:min(len(rows), tailRows)] {
		where := mdSite(e.Site)
		if where == "" {
			where = escape.Markdown(stateWords(e.Class))
		}
		fmt.Fprintf(b, "| &#43;%s | %s | %s | %s | %s |\n", escape.Markdown(units.Quantity(surplus(e))), escape.Markdown(units.Number(e.Share, "ratio")),
			escape.Markdown(string(e.Class)), where, mdHolder(*t, e))
	}
	if len(rows) > 0 {
		b.WriteByte('\n')
	}
	mdTailNotes(b, *t)
}

func mdTailNotes(b *strings.Builder, t unpark.Tracing) {
	for _, n := range tailNotes(t) {
		fmt.Fprintf(b, "> %s\n\n", escape.Markdown(n))
	}
}

// mdHolder says what held a place up most, and what it did.
func mdHolder(t unpark.Tracing, e unpark.Excess) string {
	all := holders(t, e.Class, e.Site)
	if len(all) == 0 {
		return ""
	}
	out := mdSite(all[0].Holder)
	for _, h := range heldMost(all[0].Held, 2) {
		out += "<br>" + escape.Markdown(units.Percent(h.Share)+" "+heldText(h, columns))
		if next := behind(t, h); next != nil {
			out += "<br>↳ " + escape.Markdown(heldBy(next.Class)) + " " + mdSite(next.Holder)
		}
	}
	return out
}
