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
	last := len(header) - 2
	widths := make([]int, last)
	room := columns - indent - gap*(len(header)-1)
	for j := range last {
		widths[j] = width(header[j])
		for _, r := range rows {
			r[j] = middle(r[j], 26)
			widths[j] = max(widths[j], width(r[j]))
		}
		room -= widths[j]
	}
	at, created := siteColumns(sites, room, max(width(header[last]), width(header[last+1])))
	widths = append(widths, at, created)
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

// siteColumns shares room among two columns of sites: both in full, then without
// the import paths where that is too wide, the second column first.
func siteColumns(sites [][2]unpark.Site, room, least int) (at, created int) {
	forms := [...]func(unpark.Site) string{fullSite, shortSite}
	var w [2][2]int // column, form
	for _, s := range sites {
		for col := range w {
			for form, text := range forms {
				w[col][form] = max(w[col][form], least, width(text(s[col])))
			}
		}
	}
	for _, try := range [...][2]int{{0, 0}, {0, 1}, {1, 1}} {
		if at, created = w[0][try[0]], w[1][try[1]]; at+created <= room {
			return at, created
		}
	}
	created = min(created, max(room*2/5, room-at))
	return room - created, created
}

// trimmed drops blanks at the end of a line.
func trimmed(l line) line {
	for n := len(l); n > 0; n-- {
		if l[n-1].text = strings.TrimRight(l[n-1].text, " "); l[n-1].text != "" {
			return l[:n]
		}
	}
	return nil
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
