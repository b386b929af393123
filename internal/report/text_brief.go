package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// How much a finding takes on a terminal.
const (
	briefLines    = 12
	briefRemedies = 3
	briefCosts    = 3
)

// brief prints what a reader needs to act on a finding: where it is, what it costs, what
// fixing it buys, the first ways out, and as many facts as there is room for.
func (p findingText) brief() {
	f := p.Finding
	must := p.part(func(p findingText) {
		p.title()
		if !f.Site.IsZero() {
			p.site("line", f.Site)
		}
		if at, _, ok := culprit(f); ok {
			p.site("culprit", at)
		}
		p.ends()
		p.costs()
		p.briefGains()
		p.experiment()
	})
	room := briefLines - len(must) - 1 // one to say what is left out
	var ways, facts []line
	saidWays, saidFacts := 0, 0
	take := func(to *[]line, n *int, lines []line) {
		if len(lines) <= room || *n == 0 && n == &saidWays {
			*to, room = append(*to, lines...), room-len(lines)
			*n++
		}
	}
	way := func(i int) {
		if i < len(f.Remedies) && saidWays == i {
			take(&ways, &saidWays, p.part(func(p findingText) { p.briefRemedy(i, f.Remedies[i]) }))
		}
	}
	fact := func(i int) {
		if i < len(f.Facts) && saidFacts == i {
			take(&facts, &saidFacts, p.part(func(p findingText) { p.fact(i, f.Facts[i]) }))
		}
	}
	way(0)
	fact(0)
	for i := range max(briefRemedies, mostFacts) {
		if i < briefRemedies {
			way(i)
		}
		if i < mostFacts {
			fact(i)
		}
	}
	p.page.lines = slices.Concat(p.page.lines, must, ways, facts)
	p.left(len(f.Remedies)-saidWays, len(f.Facts)-saidFacts)
}

// left says where what is left out of a finding is.
func (p runText) left() string {
	where := "in report.html"
	switch {
	case p.page.rest != "":
		return p.page.rest
	case handed(p.run):
		where = "with --json"
	}
	if p.page.brief {
		return "-v, or " + where
	}
	return where
}

// part is the lines that something prints.
func (p findingText) part(print func(findingText)) []line {
	p.page = &page{brief: true}
	print(p)
	return p.page.lines
}

// briefGains prints what fixing buys of throughput and p99, or that it buys nothing.
func (p findingText) briefGains() {
	pr := p.Prediction
	all := slices.DeleteFunc(gains(pr, p.load), func(g gain) bool { return g.metric == "p50" })
	if len(all) == 0 {
		p.flow(detail("fixing"), say(quiet, abstains(pr)))
		return
	}
	if pr.BuysNothing() && pr.Summary != "" {
		p.flow(detail("fixing"), say(normal, escape.Prose(pr.Summary)))
		return
	}
	for i, g := range all {
		label := ""
		if i == 0 {
			label = "fixing"
		}
		spans := []span{whole(quiet, fmt.Sprintf("%-11s", g.metric)), say(gainTone(g), g.text)}
		if middle := beside(pr); middle != "" && g.metric == "throughput" {
			spans = append(spans, say(quiet, " · if "+middle))
		}
		p.flow(detail(label), spans...)
	}
}

// briefRemedy prints the title of a remedy.
func (p findingText) briefRemedy(i int, r unpark.Remedy) {
	if i == 0 {
		p.flow(detail("do"), say(strong, escape.Prose(r.Title)))
		return
	}
	p.flow(detail("or"), say(normal, escape.Prose(r.Title)))
}

// left says what a finding has besides.
func (p findingText) left(ways, facts int) {
	var parts []string
	if ways > 0 {
		parts = append(parts, counted(ways, "way out", "ways out"))
	}
	if facts > 0 {
		parts = append(parts, counted(facts, "fact", "facts"))
	}
	if len(parts) > 0 {
		p.flow(detail(""), say(quiet, "+ "+strings.Join(parts, " and ")+" more: "+p.more))
	}
}

// counted says how many there are of something.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// byRequest leaves out how many wait, or compute, at a time: a cost by the request says more. What
// explains more waiters than requests explains a longer wait than a request takes as well.
func byRequest(all []item) []item {
	crowded := slices.ContainsFunc(all, func(it item) bool { return it.Label == crowdLabel })
	all = slices.DeleteFunc(all, func(it item) bool {
		return it.Label == "mean waiters" || it.Label == "cores" || it.Label == crowdLabel
	})
	for i := range all {
		if crowded && all[i].Label == "waiting" {
			all[i].Value += ", more than a request takes: " + crowdWhy
		}
	}
	return all
}
