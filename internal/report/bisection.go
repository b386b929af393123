package report

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// bisectionPage prints which commit it was, the rounds of those that were measured, and what was not.
func bisectionPage(b unpark.Bisection) *page {
	p := &page{}
	word, t := map[string]string{"found": "FOUND", "same": "NO DIFFERENCE", "identical": "IDENTICAL"}[b.Outcome], good
	if word == "" {
		word, t = "NOT SURE", caution
	}
	p.flow(line{say(heading, word), say(normal, "  ")}, say(t, escape.Prose(b.Why)))
	p.blank()
	ratio := func(q unpark.Quantity) string {
		if !q.Known() {
			return units.Unknown
		}
		return effectChange(q)
	}
	if b.Effect.Known() {
		p.flow(fieldOf("effect"), say(normal, metricName(b.Metric)+" "+ratio(b.Effect)))
	}
	if b.Probability.Known() {
		p.flow(fieldOf("sure"), say(normal, units.Percent(b.Probability.Or(0))))
	}
	p.flow(fieldOf("searched"), say(normal, searchedText(b)))
	p.measured(b, ratio)
	for _, c := range b.Commits {
		if c.State == unpark.CommitBroken {
			p.flow(line{say(caution, "! ")}, say(normal, commitText(c)+" cannot be measured: "+escape.Prose(c.Why)))
		}
	}
	p.functions("FUNCTIONS  against the commit before", b.Functions, b.FunctionsTested)
	p.notices("WARNINGS", caution, b.Warnings)
	return p
}

func fieldOf(name string) line { return line{say(normal, fmt.Sprintf("  %-10s", name))} }

// measured is a table of the commits that have rounds, and of those that it may be.
func (p *page) measured(b unpark.Bisection, ratio func(unpark.Quantity) string) {
	const worth = 0.001 // of probability
	var rows [][]string
	var tones []tone
	for _, c := range b.Commits {
		if c.Rounds == 0 && c.Probability.Or(0) < worth {
			continue
		}
		t := normal
		for _, culprit := range b.Culprits {
			if culprit == c.Hash {
				t = alarm
			}
		}
		rows = append(rows, []string{commitText(c), fmt.Sprint(c.Rounds), ratio(c.Ratio), units.Percent(c.Probability.Or(0))})
		tones = append(tones, t)
	}
	if len(rows) > 0 {
		p.head("COMMITS  oldest first, each against the good end")
		p.table(2, []string{"commit", "rounds", metricName(b.Metric), "probability"}, rows, tones)
	}
}

// commitText names a commit by its hash and the beginning of its title.
func commitText(c unpark.Commit) string {
	const most = 28 // characters of a title
	title := []rune(escape.Prose(c.Title))
	if len(title) > most {
		title = append(title[:most-1], '…')
	}
	text := fmt.Sprintf("%.12s  %s", escape.Prose(c.Hash), string(title))
	if c.Merge {
		text += " (a merge)"
	}
	return text
}

// searchedText counts what was searched, and what it took.
func searchedText(b unpark.Bisection) string {
	unused := 0
	for _, c := range b.Commits {
		if c.State == unpark.CommitUnused {
			unused++
		}
	}
	parts := []string{many(int64(len(b.Commits)), "commit")}
	if unused > 0 {
		parts = append(parts, fmt.Sprintf("%d not of the program", unused))
	}
	return strings.Join(append(parts, many(int64(b.Builds), "build"), many(int64(b.Rounds), "round")), " · ")
}
