package report

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// proofPage prints the verdict of a proof, why, and what it is bound to.
func proofPage(f unpark.Proof) *page {
	p := &page{}
	word, t := strings.ToUpper(escape.Prose(f.Verdict)), caution
	switch f.Verdict {
	case unpark.VerdictProven:
		t = good
	case unpark.VerdictRefused:
		t = alarm
	}
	p.flow(line{say(heading, word), say(normal, "  ")}, say(t, escape.Prose(f.Why)))
	p.notices("WHY", t, f.Reasons)
	p.head("BOUND TO")
	for _, arm := range []struct {
		name string
		tree unpark.ProofTree
	}{{"before", f.Before}, {"after", f.After}} {
		p.flow(fieldOf(arm.name), say(normal, escape.Prose(arm.tree.Hash)), say(quiet, " · "+escape.Prose(arm.tree.Name)))
	}
	p.flow(fieldOf("tests"), say(normal, testedText(f.Tests)))
	p.flow(fieldOf("answers"), say(normal, answeredText(f.Answers)))
	p.flow(fieldOf("load"), say(normal, proofLoadText(f)))
	p.proofEffects(f.Rounds)
	p.listed("TESTS LOST", f.Tests.Lost)
	p.listed("TESTS OF BEFORE THAT RAN IN PLACE OF THOSE OF AFTER", f.Tests.Replaced)
	p.proofAnswers(f.Answers)
	p.notices("WARNINGS", caution, f.Warnings)
	if f.Rounds.File != "" {
		p.blank()
		p.flow(fieldOf("rounds"), say(quiet, escape.Prose(f.Rounds.File)+" sha256 "+escape.Prose(f.Rounds.Sum)))
	}
	return p
}

// testedText counts the tests.
func testedText(t unpark.ProofTests) string {
	if len(t.Command) == 0 {
		return "not run"
	}
	name := escape.Prose(strings.Join(t.Command, " "))
	before, known := t.Before.Get()
	after, ok := t.After.Get()
	if !known || !ok {
		return name
	}
	text := fmt.Sprintf("%s: %s passed before, of these %s after", name, many(int64(before), "test"), units.Count(int64(after)))
	if n := len(t.Failed); n > 0 {
		text += fmt.Sprintf(", %d failed before already", n)
	}
	return text
}

// answeredText counts the answers that are alike.
func answeredText(a unpark.ProofAsked) string {
	if len(a.Requests) == 0 {
		return "not compared"
	}
	equal := 0
	for _, r := range a.Requests {
		if r.Equal {
			equal++
		}
	}
	return fmt.Sprintf("%d of %s alike, %s of each arm", equal, many(int64(len(a.Requests)), "request"), many(a.Asked, "answer"))
}

// proofLoadText says what load it was.
func proofLoadText(f unpark.Proof) string {
	if f.Plan.Mode == "" {
		return "none"
	}
	text := string(f.Plan.Mode)
	if f.Plan.Mode.Open() {
		text += " at " + units.Say(f.Plan.RateRPS, "req/s")
	} else {
		text += " with " + many(int64(f.Plan.Connections), "connection")
	}
	text += ", " + many(int64(len(f.Plan.Requests)), "request") + ", rounds of " + units.Say(f.Plan.Duration, "s")
	if len(f.HeldTo) > 0 {
		text += "; not weaker than " + escape.Prose(strings.Join(f.HeldTo, " and "))
	}
	return escape.Prose(text)
}

// proofEffects is a table of what changed.
func (p *page) proofEffects(r unpark.ProofRounds) {
	var rows [][]string
	var tones []tone
	for _, e := range r.Effects {
		rows = append(rows, []string{metricName(e.Metric), effectChange(e.Ratio), escape.Prose(e.Verdict)})
		tones = append(tones, changeTone(e.Verdict))
	}
	if len(rows) == 0 {
		return
	}
	p.head("MEASURED  " + many(int64(r.Rounds), "round") + " of both, in turns")
	p.table(2, []string{"metric", "change", "verdict"}, rows, tones)
}

// proofAnswers prints the requests that are not alike, and those of which something varies.
func (p *page) proofAnswers(a unpark.ProofAsked) {
	const most = 8 // requests
	var shown int
	for _, r := range a.Requests {
		text := r.Difference
		if r.Equal {
			text = "varies before as well: " + strings.Join(r.Varies, ", ")
		}
		if r.Equal && len(r.Varies) == 0 || shown == most {
			continue
		}
		if shown == 0 {
			p.head("ANSWERS")
		}
		shown++
		t := quiet
		if !r.Equal {
			t = alarm
		}
		p.flow(line{say(normal, "  ")}, say(t, escape.Prose(r.Request)+": "+escape.Prose(text)))
	}
}

// listed prints names under a heading, the first of them.
func (p *page) listed(title string, names []string) {
	const most = 10
	if len(names) == 0 {
		return
	}
	p.head(title)
	for i, name := range names {
		if i == most {
			p.flow(line{say(quiet, "  ")}, say(quiet, fmt.Sprintf("and %d more", len(names)-most)))
			return
		}
		p.flow(line{say(normal, "  ")}, say(normal, escape.Prose(name)))
	}
}
