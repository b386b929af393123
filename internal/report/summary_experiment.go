package report

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// slowdown is what an experiment says, a sentence each. Gain is empty when there is
// no result; the first sentence then says why.
type slowdown struct {
	Gain      string // "6.97k req/s → 13.9k req/s, ×2.00 (+66.0 % to ×2.41)"
	Verdict   string // beside the prediction; empty when one of the two is unknown
	Disagrees bool
	Sentences []string
	Assume    []string
}

// slowed reads an experiment; nil when none was asked for.
func slowed(e *unpark.Experiment, l *unpark.Load) *slowdown {
	if e == nil {
		return nil
	}
	if !e.Throughput.Known() {
		return &slowdown{Sentences: []string{"no experiment: " + or(escape.Prose(e.Why), "no reason is given")}}
	}
	s := &slowdown{Gain: units.Changed(e.Throughput)}
	if all := gains(unpark.Prediction{Throughput: e.Throughput}, l); len(all) == 1 {
		s.Gain = all[0].text
	}
	switch e.Agrees {
	case "yes":
		s.Verdict = "agrees with the forecast"
	case "no":
		s.Verdict, s.Disagrees = "contradicts the forecast", true
	}
	s.Sentences = append(s.Sentences, slowedHow(*e))
	if e.Slope.Known() {
		text := "each second of delay in a request adds " + seconds(e.Slope) + " to the time between two answers"
		if e.Bent {
			text += ", and a shorter delay adds " + map[bool]string{true: "less", false: "more"}[e.Bend.Value.Or(0) < 0] + " than in proportion"
		}
		s.Sentences = append(s.Sentences, text)
	}
	if e.CPUPerRequest.Known() {
		s.Sentences = append(s.Sentences, "CPU of a request "+units.Changed(e.CPUPerRequest))
	}
	for _, a := range e.Assumptions {
		s.Assume = append(s.Assume, escape.Prose(a))
	}
	return s
}

// slowedHow says what was done.
func slowedHow(e unpark.Experiment) string {
	var doses []string
	for i, d := range e.Doses {
		if i > 0 {
			doses = append(doses, units.Number(d.Delay.Value, "s/req"))
		}
	}
	text := many(int64(e.Rounds), "round") + " with and without " + or(strings.Join(doses, " or "), units.Unknown) + " of delay"
	if !e.Place.IsZero() {
		text += " at " + escape.Line(e.Place.Place())
	}
	if e.Where != "" {
		text += ", " + escape.Prose(e.Where)
	}
	return text
}

// seconds prints a ratio of two times as a time.
func seconds(q unpark.Quantity) string {
	q.Unit = "s"
	return units.Quantity(q)
}

// experiment prints it below the forecast.
func (p findingText) experiment() {
	s := slowed(p.Experiment, p.load)
	if s == nil {
		return
	}
	if s.Gain == "" {
		p.flow(detail("slowed"), say(quiet, units.Unknown+" "+s.Sentences[0]))
		return
	}
	spans := []span{whole(quiet, "throughput "), say(normal, s.Gain)}
	if s.Verdict != "" {
		tone := quiet
		if s.Disagrees {
			tone = alarm
		}
		spans = append(spans, say(quiet, " · "), say(tone, s.Verdict))
	}
	p.flow(detail("slowed"), spans...)
	for _, text := range s.Sentences {
		p.flow(detail(""), say(quiet, text))
	}
}
