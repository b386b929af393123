package report

import "github.com/unpark-go/unpark"

// contentsView is one table of what the profiles hold.
type contentsView struct {
	Title, Lead, Note string
	Head              []string
	Rows              []contentsRowView
}

type contentsRowView struct {
	Cells  []string
	Class  string
	Site   siteView
	Holder siteView // empty when none is known
}

func newContentsView(r unpark.Run) []contentsView {
	var out []contentsView
	for _, c := range contentsOf(r) {
		v := contentsView{Title: c.title, Lead: c.lead, Note: c.note, Head: c.header}
		for _, row := range c.rows {
			x := contentsRowView{Class: row.class, Site: newSite(row.site)}
			for _, cell := range row.cells {
				x.Cells = append(x.Cells, unbroken(cell))
			}
			if row.holder != nil {
				x.Holder = newSite(*row.holder)
			}
			v.Rows = append(v.Rows, x)
		}
		out = append(out, v)
	}
	return out
}
