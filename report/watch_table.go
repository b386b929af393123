package report

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// places prints a table whose last two columns are sites, which give way where
// the line is too long. after is called behind each row.
func (p *page) places(header []string, rows [][]string, sites [][2]unpark.Site, t tone, after func(i int)) {
	const indent, gap = 2, 2
	widths := make([]int, len(header))
	for i, h := range header {
		widths[i] = width(h)
	}
	last := len(header) - 2
	for i, r := range rows {
		for j := range last {
			r[j] = middle(r[j], 26)
			widths[j] = max(widths[j], width(r[j]))
		}
		widths[last] = max(widths[last], width(fullSite(sites[i][0])))
		widths[last+1] = max(widths[last+1], width(createdText(sites[i][1], 1000)))
	}
	room := columns - indent - gap*(len(header)-1)
	for j := range last {
		room -= widths[j]
	}
	if widths[last]+widths[last+1] > room {
		widths[last+1] = min(widths[last+1], max(room*2/5, room-widths[last]))
		widths[last] = room - widths[last+1]
	}
	put := func(t tone, cells []string) {
		l := line{{normal, strings.Repeat(" ", indent)}}
		for j, c := range cells {
			pad := strings.Repeat(" ", max(0, widths[j]-width(c)))
			if j < last-1 { // figures
				c, pad = pad+c, ""
			}
			if j > 0 {
				c = strings.Repeat(" ", gap) + c
			}
			l = append(l, span{t, c + pad})
		}
		p.add(trimmed(l)...)
	}
	put(quiet, header)
	for i, r := range rows {
		cells := slices.Clone(r)
		cells[last], cells[last+1] = fitSite(sites[i][0], widths[last]), createdText(sites[i][1], widths[last+1])
		put(t, cells)
		after(i)
	}
}

// trimmed drops blanks at the end of a line.
func trimmed(l line) line {
	if n := len(l); n > 0 {
		l[n-1].text = strings.TrimRight(l[n-1].text, " ")
	}
	return l
}

func createdText(s unpark.Site, w int) string {
	if s.IsZero() {
		return "(main)"
	}
	return fitSite(s, w)
}

// fitSite is siteText that leaves alone what fits.
func fitSite(s unpark.Site, w int) string {
	if full := fullSite(s); width(full) <= w {
		return full
	}
	return siteText(s, w)
}
