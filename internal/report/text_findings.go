package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// findings prints every finding with its line, cost, gain, remedy and facts.
func (p runText) findings() {
	if len(p.run.Findings) == 0 {
		if nothingFound(p.run) {
			p.blank()
			p.flow(line{say(normal, "  ")}, say(quiet, noCause(p.run)))
		}
		return
	}
	p.head("FINDINGS")
	full, folded := byWorth(p.run.Findings)
	for i, f := range full {
		if i > 0 {
			p.blank()
		}
		one := findingText{p.page, f, loadOf(p.run), p.left()}
		if p.page.brief {
			one.brief()
		} else {
			one.print()
		}
	}
	p.folded(folded)
}

// folded counts and names findings that are worth nothing, on one line.
func (p runText) folded(fs []ranked) {
	if len(fs) == 0 {
		return
	}
	p.blank()
	spans := []span{say(quiet, foldedTitle(len(fs))+": ")}
	for i, f := range fs {
		if i > 0 {
			spans = append(spans, say(quiet, " · "))
		}
		spans = append(spans, say(quiet, foldedName(f)))
	}
	p.flow(line{say(quiet, "  + ")}, spans...)
}

// findingText prints the parts of one finding.
type findingText struct {
	*page
	ranked
	load *unpark.Load
	more string // where the facts are that are left out
}

// mostFacts is how many facts of a finding are printed, of up to 16: those come first that
// tell most.
const mostFacts = 5

func (p findingText) print() {
	f := p.Finding
	p.title()
	if !f.Site.IsZero() {
		p.site("line", f.Site)
	}
	p.culprit()
	p.ends()
	p.costs()
	p.gains()
	p.experiment()
	for i, remedy := range f.Remedies {
		label := "do"
		if i > 0 {
			label = "or"
		}
		p.remedy(label, remedy, i == 0)
	}
	shown := f.Facts
	if len(shown) > mostFacts+1 { // one more takes no more room than to say so
		shown = shown[:mostFacts]
	}
	for i, fact := range shown {
		p.fact(i, fact)
	}
	if n := len(f.Facts) - len(shown); n > 0 {
		p.flow(detail(""), say(quiet, "+ "+strconv.Itoa(n)+" more "+p.more))
	}
}

func (p findingText) title() {
	f := p.Finding
	title := []span{say(strong, string(f.Class)), say(quiet, " · "), say(strong, escape.Prose(f.Title))}
	if f.Confidence != "" {
		title = append(title, say(quiet, " · "), whole(confidenceTone(f.Confidence), "confidence "+string(f.Confidence)))
	}
	p.flow(line{say(heading, fmt.Sprintf("%3d ", p.rank()))}, title...)
}

// fact prints the fact at a place from 0.
func (p findingText) fact(i int, fact unpark.Fact) {
	label := ""
	if i == 0 {
		label = "facts"
	}
	spans := []span{say(normal, factText(fact))}
	if fact.Source != "" {
		spans = append(spans, say(quiet, " ["+escape.Prose(fact.Source)+"]"))
	}
	p.flow(detail(label), spans...)
}

// detail is the label of a line below a finding.
func detail(label string) line {
	return line{say(quiet, fmt.Sprintf("    %-9s", label))}
}

func confidenceTone(c unpark.Confidence) tone {
	if c == unpark.Low {
		return caution
	}
	return quiet
}

func (p findingText) site(label string, s unpark.Site) {
	first := detail(label)
	p.add(append(first, say(place, siteText(s, columns-first.width())))...)
}

// culprit prints the function that owns the cost, with the way that leads there.
func (p findingText) culprit() {
	at, via, ok := culprit(p.Finding)
	if !ok {
		return
	}
	p.site("culprit", at)
	if len(via) > 0 {
		p.flow(detail(""), say(quiet, "through "+strings.Join(via, " → ")))
	}
}

// ends prints waiter → holder, on one line when both fit with their import paths
// cut at most. An end at the finding's own line is still shown: which end one
// looks at is what profiles leave open.
func (p findingText) ends() {
	waiter, holder := lockSites(p.Finding)
	switch {
	case waiter == nil && holder == nil:
		return
	case holder == nil:
		p.site("waiter", *waiter)
		return
	case waiter == nil:
		p.site("holder", *holder)
		return
	}
	first := detail("waiter")
	const arrow = " → holder "
	room := columns - first.width() - width(arrow)
	for _, show := range []func(unpark.Site) string{fullSite, shortSite} {
		if a, b := show(*waiter), show(*holder); width(a)+width(b) <= room {
			p.add(append(first, say(place, a), say(quiet, arrow), say(place, b))...)
			return
		}
	}
	p.site("waiter", *waiter)
	p.site("→ holder", *holder)
}

// costs prints the parts of the cost side by side.
func (p findingText) costs() {
	all := costs(p.Finding, p.load)
	if p.page.brief && len(all) > briefCosts {
		all = byRequest(all)
	}
	if len(all) == 0 {
		return
	}
	var spans []span
	for i, it := range all {
		if i > 0 {
			spans = append(spans, say(quiet, " · "))
		}
		value := whole(normal, it.Value)
		value.text = joint + strings.Replace(value.text, " %", joint+"%", 1)
		spans = append(spans, whole(quiet, it.Label), value)
	}
	p.flow(detail("cost"), spans...)
}

// gains prints what fixing would buy: one metric a line, so that intervals are
// compared at a glance.
func (p findingText) gains() {
	pr := p.Prediction
	all := gains(pr, p.load)
	if len(all) == 0 {
		p.flow(detail("fixing"), say(quiet, units.Unknown+" "+abstains(pr)))
		return
	}
	for i, g := range all {
		label := ""
		if i == 0 {
			label = "fixing"
		}
		p.flow(detail(label), whole(quiet, fmt.Sprintf("%-11s", g.metric)), say(gainTone(g), g.text))
	}
	if parts := byParts(pr); len(parts) > 0 {
		p.flow(detail(""), say(quiet, strings.Join(parts, " · ")))
	}
	if pr.Summary != "" { // it ends with what would bind next
		p.flow(detail(""), say(normal, escape.Prose(pr.Summary)))
	} else if next := nextLimit(pr); next != "" {
		p.flow(detail(""), say(quiet, "then the limit is "+next))
	}
}

// nextLimit names what would bind next, empty when nothing would or it is not
// known.
func nextLimit(p unpark.Prediction) string {
	if p.NextLimit == unpark.LimitNone || p.NextLimit == unpark.LimitUnknown {
		return ""
	}
	return escape.Prose(string(p.NextLimit))
}

// gainTone marks a gain whose whole interval is better by more than 5 %.
func gainTone(g gain) tone {
	low, high := g.ratio.Low.Or(1), g.ratio.High.Or(1)
	if (g.more && low > 1.05) || (!g.more && high < 0.95) {
		return good
	}
	return normal
}

func (p findingText) remedy(label string, r unpark.Remedy, first bool) {
	title := escape.Prose(r.Title)
	if why := sentence(r.Why); first && why != "" {
		p.flow(detail(label), say(strong, sentence(title)), say(normal, " "+why))
	} else {
		p.flow(detail(label), say(normal, title))
	}
	if when := sentence(r.When); first && when != "" {
		p.flow(detail(""), say(normal, "when: "+when))
	}
	if risk := escape.Prose(r.Risk); first && risk != "" {
		p.flow(detail(""), say(quiet, "risk: "+risk))
	}
}

// levels prints one line per load level of a sweep.
func (p runText) levels() {
	if len(p.run.Windows) < 2 {
		return
	}
	p.head("LEVELS")
	rows := levelRows(p.run)
	p.table(2, levelHeader(), rows, make([]tone, len(rows)))
}

func levelHeader() []string {
	return []string{"level", "req/s", "p50", "p99", "errors", "target cores"}
}

func levelRows(r unpark.Run) [][]string {
	var rows [][]string
	for _, w := range r.Windows {
		row := []string{levelText(w.Level), units.Unknown, units.Unknown, units.Unknown, units.Unknown}
		if l := w.Load; l != nil {
			row = []string{levelText(w.Level), figureOnly(l.AchievedRPS), units.Unknown, units.Unknown, units.Count(l.Errors)}
			if l.Response.N > 0 {
				row[2], row[3] = units.Figure(l.Response.P50, "s"), units.Figure(l.Response.P99, "s")
			}
		}
		cores := total(w.Processes, func(p unpark.Process) unpark.Number { return p.Cores })
		rows = append(rows, append(row, strings.TrimSuffix(cores.text("cores"), " cores")))
	}
	return rows
}

func levelText(l unpark.Level) string {
	var parts []string
	if l.RateRPS > 0 {
		parts = append(parts, units.Say(l.RateRPS, "req/s"))
	}
	if l.Connections > 0 {
		parts = append(parts, connections(l.Connections))
	}
	return or(strings.Join(parts, ", "), units.Unknown)
}

func figureOnly(v float64) string { return strings.TrimSuffix(units.Figure(v, "req/s"), " req/s") }
