package report

import (
	"strings"

	"github.com/unpark-go/unpark"
)

// costsView is the table of what the CPU goes to.
type costsView struct {
	Title, Doubt string
	Confidence   string // only where it is low
	Without      string // heads the gains, empty when there are none
	Rows         []costView
}

type costView struct {
	Share  string
	Site   siteView
	Callee string
	Gain   string
	Better bool
}

func newCosts(r unpark.Run) *costsView {
	s := spendingOf(r)
	if s == nil {
		return nil
	}
	v := &costsView{Title: s.heading(), Doubt: sentence(doubt)}
	if s.low {
		v.Confidence = "low confidence"
	}
	if s.metric != "" {
		v.Without = s.without()
	}
	for _, row := range s.rows {
		row.callee.name = symbol(row.callee.name, columns)
		c := costView{Share: unbroken(row.share), Site: newSite(row.site), Callee: unbroken(row.callee.text())}
		if row.gain != nil {
			c.Gain, c.Better = unbroken(row.gain.text), gainTone(*row.gain) == good
		}
		v.Rows = append(v.Rows, c)
	}
	return v
}

// unbroken keeps a percentage on one line of a narrow column, or of a phone.
func unbroken(text string) string { return strings.ReplaceAll(text, " %", joint+"%") }

func unbrokenAll(texts []string) []string {
	for i, text := range texts {
		texts[i] = unbroken(text)
	}
	return texts
}
